import type { components } from '../../generated/config-api.d.ts';
import { ruleOf } from '../delivery/round.ts';
import type { Limits } from '../delivery/pace.ts';
import { originOf, type Redact, secretMask } from '../delivery/secret-mask.ts';
import { isWebhooks } from '../destinations/kind.ts';
import { webhooksOf } from '../destinations/webhooks-settings.ts';
import type { Destination } from '../model/resources.ts';
import type { Phases } from '../ports/transport.ts';
import type { DeliveryStory, LoggedAttempt, LoggedDelivery, LogFilter } from '../model/logged-delivery.ts';
import { decisionWords, explain, nextOf } from './delivery-explanation.ts';

type Schemas = components['schemas'];

/** Steps (`Budget`) of showing an attempt, and of each character of an answer at worst. */
const [ATTEMPT_STEPS, CHARACTER_STEPS] = [10_000, 400];

/** What the API can be asked for, as it stands in a query or in the filter of a replay. */
export interface WireFilter {
  readonly type?: LogFilter['type'];
  readonly event?: string;
  readonly user_id?: string;
  readonly from?: string;
  readonly to?: string;
}

export function readFilter({ type, event, user_id: userId, from, to }: WireFilter): LogFilter {
  return {
    ...(type === undefined ? {} : { type }),
    ...(event === undefined ? {} : { event }),
    ...(userId === undefined ? {} : { userId }),
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) }),
  };
}

export function deliveryResource(parent: string, logged: LoggedDelivery): Schemas['Delivery'] {
  const { dueAt, endedAt } = logged;
  return {
    name: `${parent}/deliveries/${logged.delivery}`,
    parent,
    message_id: logged.messageId,
    type: logged.type,
    event: logged.event,
    user_id: logged.userId,
    state: logged.state,
    round_count: logged.rounds,
    replay_count: logged.replays,
    receive_time: new Date(logged.receivedAt).toISOString(),
    ...(dueAt === undefined ? {} : { due_time: new Date(dueAt).toISOString() }),
    ...(endedAt === undefined ? {} : { end_time: new Date(endedAt).toISOString() }),
  };
}

/** In slices, of an attempt each: a receiver may have answered with what takes milliseconds to be searched for secrets. */
export function* storyResource(
  parent: string,
  story: DeliveryStory,
  discretion: Discretion,
): Generator<number, Schemas['DeliveryStory']> {
  const rounds = new Map<number, Schemas['DeliveryAttempt'][]>();
  for (const attempt of story.attempts) {
    const told = rounds.get(attempt.round);
    const one = attemptResource(attempt, discretion);
    if (told === undefined) rounds.set(attempt.round, [one]);
    else told.push(one);
    yield ATTEMPT_STEPS + attempt.excerpt.length * CHARACTER_STEPS;
  }
  const { summary, timeline, hints } = explain(story, discretion);
  return {
    ...deliveryResource(parent, story),
    rounds: [...rounds].toSorted(([a], [b]) => a - b).map(([round, attempts]) => ({ round, attempts })),
    explanation: {
      summary,
      timeline: timeline.map(({ at, text }) => ({ time: new Date(at).toISOString(), text })),
      hints: [...hints],
    },
  };
}

function attemptResource(attempt: LoggedAttempt, { redact, numberOf }: Discretion): Schemas['DeliveryAttempt'] {
  const { webhook, startedAt, durationMs, phases, outcome, status, excerpt, nextDueAt } = attempt;
  const number = numberOf(webhook);
  return {
    webhook: originOf(webhook),
    ...(number === undefined ? {} : { webhook_number: number }),
    start_time: new Date(startedAt).toISOString(),
    duration_ms: durationMs,
    ...(phases === undefined ? {} : { phases: phasesResource(phases) }),
    outcome,
    ...(status === undefined ? {} : { status }),
    excerpt: redact(excerpt),
    // What is stored may be of an earlier version, which named it otherwise.
    rule: ruleOf(outcome),
    decision: decisionWords(attempt),
    next: nextOf(attempt),
    ...(nextDueAt === undefined ? {} : { next_due_time: new Date(nextDueAt).toISOString() }),
  };
}

function phasesResource({ connectMs, sendMs, waitMs, readMs }: Phases): Schemas['AttemptPhases'] {
  return {
    ...(connectMs === undefined ? {} : { connect_ms: connectMs }),
    ...(sendMs === undefined ? {} : { send_ms: sendMs }),
    ...(waitMs === undefined ? {} : { wait_ms: waitMs }),
    ...(readMs === undefined ? {} : { read_ms: readMs }),
  };
}

/** How the story of a delivery is told now, without a secret (SAFE-3). */
export interface Discretion {
  readonly redact: Redact;
  /** The place of a webhook in its destination as it is now, from 1 on; undefined when it is there no longer. */
  readonly numberOf: (name: string) => number | undefined;
  /** Of the destination as it is now. */
  readonly limits?: Limits | undefined;
  readonly inOrder?: boolean;
  /** By the wall. */
  readonly now: number;
}

/**
 * Masks the secrets of a destination as it is now. They were masked when the attempt was written down, as they were then:
 * what has become one since, or was one of an earlier router, must not be shown either.
 */
export function discretionOf(destination: Destination, now: number): Discretion {
  if (!isWebhooks(destination)) return { redact: (text) => text, numberOf: () => undefined, now };
  const settings = webhooksOf(destination);
  const places = new Map(settings.webhooks.map(({ url, name = url }, index) => [name, index + 1]));
  const { limits, inOrder = false } = settings;
  return { redact: secretMask(settings), numberOf: (name) => places.get(name), limits, inOrder, now };
}
