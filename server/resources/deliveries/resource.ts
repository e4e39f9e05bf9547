import type { components } from '../../../generated/config-api.d.ts';
import { ruleOf } from '../../delivery/round.ts';
import { originOf } from '../../delivery/secret-mask.ts';
import type { DeliveryStory, LogFilter, LoggedAttempt, LoggedDelivery } from '../../model/logged-delivery.ts';
import type { Phases } from '../../ports/transport.ts';
import { milliseconds } from '../times.ts';
import { decisionWords, nextOf } from './attempt-words.ts';
import { explain } from './explain.ts';
import type { Discretion } from './redact.ts';

type Schemas = components['schemas'];

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
    receive_time: milliseconds(logged.receivedAt),
    ...(dueAt === undefined ? {} : { due_time: milliseconds(dueAt) }),
    ...(endedAt === undefined ? {} : { end_time: milliseconds(endedAt) }),
  };
}

export function storyResource(parent: string, story: DeliveryStory, discretion: Discretion): Schemas['DeliveryStory'] {
  const byRound = Map.groupBy(story.attempts, ({ round }) => round);
  const { summary, timeline, hints } = explain(story, discretion);
  return {
    ...deliveryResource(parent, story),
    rounds: [...byRound]
      .toSorted(([a], [b]) => a - b)
      .map(([round, attempts]) => ({
        round,
        attempts: attempts.map((attempt) => attemptResource(attempt, discretion)),
      })),
    explanation: {
      summary,
      timeline: timeline.map(({ at, text }) => ({ time: milliseconds(at), text })),
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
    start_time: milliseconds(startedAt),
    duration_ms: durationMs,
    ...(phases === undefined ? {} : { phases: phasesResource(phases) }),
    outcome,
    ...(status === undefined ? {} : { status }),
    excerpt: redact(excerpt),
    // What is stored may be of an earlier version, which named it otherwise.
    rule: ruleOf(outcome),
    decision: decisionWords(attempt),
    next: nextOf(attempt),
    ...(nextDueAt === undefined ? {} : { next_due_time: milliseconds(nextDueAt) }),
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
