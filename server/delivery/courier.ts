import type { Attempt, Claim, Verdict } from '../model/delivery.ts';
import { type Clock, type Moment, momentOf } from '../ports/clock.ts';
import type { Event } from '../model/message.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { PostResult, Transport } from '../ports/transport.ts';
import type { KeyOf } from './signatures.ts';
import { bytesOf, requestTo, webhookBody } from './webhook-request.ts';
import { classOf, type Outcome, outcomeDespiteStall } from '../model/outcome.ts';
import type { DeliveryPolicy } from '../model/policy.ts';
import { UNANSWERED } from './failure.ts';
import type { RecordedRound } from './recorder.ts';
import {
  endOf,
  endWithout,
  isOver,
  retryAfterMs,
  type RoundEnd,
  ruleOf,
  verdictOf,
  type WebhookResult,
} from './round.ts';
import type { Redact } from './secret-mask.ts';
import type { StallWatch } from './stall-watch.ts';
import type { Target, Targets, Webhook } from './target.ts';

export interface CourierPorts {
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Pick<Transport, 'post'>;
  /** Whether anything may be sent now: the process may have stood still just before, or while it waited for a connection (NODE-3). */
  readonly mayLeave: () => boolean;
  /** Tells what timed out because of the receiver from what did because of us. */
  readonly stalls: Pick<StallWatch, 'begin'>;
  readonly targets: Targets;
  /**
   * The target of what seems to go nowhere: another router may have been told of it a moment ago, and have accepted this (NODE-5).
   * Absent where there is no other.
   */
  readonly targetAtLast?: ((claim: Claim) => Promise<Target | undefined>) | undefined;
  readonly log: Log;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** Absent: each signature makes its own. */
  readonly keyOf?: KeyOf | undefined;
  /** A URL as the log may show it. */
  readonly shown: (url: string) => string;
  /** Takes the secrets of a target out of what its receivers answer. */
  readonly maskOf: (target: Target) => Redact;
}

type Report = (record: RecordedRound) => void;

interface Tried {
  readonly result: WebhookResult;
  readonly attempt: Attempt;
}

/**
 * Carries one claim through one round: a POST to each webhook that is still open, all at once (D-20). Reports the
 * verdict as soon as it is certain, so that a success is on its way to disk while slower siblings are still in flight;
 * attempts that end later are reported after it, with the same verdict. Settles once every attempt has ended, with what
 * the round says of the destination.
 */
export async function carry(ports: CourierPorts, claim: Claim, report: Report, signal: AbortSignal): Promise<RoundEnd> {
  const { policy, clock } = ports;
  const target = ports.targets(claim.destination, claim) ?? (await ports.targetAtLast?.(claim));
  if (target === undefined) {
    report(recordOf(claim, [], { state: 'cancelled' }, momentOf(clock)));
    return endWithout('unsent');
  }
  if (isOver(policy, claim, clock.steady())) {
    report(recordOf(claim, [], { state: 'expired' }, momentOf(clock)));
    return endWithout('unjudged');
  }
  const open = target.webhooks.filter(({ url, name = url }) => !claim.closed.includes(name));

  const tried: Tried[] = [];
  let reported = 0;
  const settle = (verdict: Verdict): void => {
    const attempts = tried.slice(reported).map((one) => one.attempt);
    reported = tried.length;
    report(recordOf(claim, attempts, verdict, momentOf(clock)));
  };
  const mask = ports.maskOf(target);
  const body = await bodyFor(target, claim.message.event);
  await Promise.all(
    open.map(async (webhook, number) => {
      const one = await attempt(ports, claim, { target, webhook, number, body, mask }, signal);
      tried.push(one);
      // With the record of a line its next begins, which no webhook is to get before this one (HOOK-25).
      const isCertain = claim.line === undefined && classOf(one.result.outcome) === 'success';
      if (isCertain) settle({ state: 'delivered' });
    }),
  );
  const results = tried.map((one) => one.result);
  if (reported < open.length || open.length === 0) {
    settle(verdictOf(policy, claim, results, clock.steady(), ports.random));
  }
  return endOf(claim, results);
}

/**
 * The same bytes for all webhooks of a round, and for each retry until the destination's filters or shape change: which then
 * hold at once, also for what waits (D-13).
 */
async function bodyFor({ reshape, shape }: Target, event: Event): Promise<Uint8Array> {
  const body = webhookBody((await reshape?.(event)) ?? event);
  return bytesOf((await shape?.({ ...body })) ?? body);
}

export function recordOf(
  { delivery, node, epoch, round, destination, message, line }: Claim,
  attempts: readonly Attempt[],
  verdict: Verdict,
  at: Moment,
): RecordedRound {
  const { receivedAt } = message;
  const ageMs = at.steady - receivedAt;
  const fence = { delivery, node, epoch, round };
  const inLine = line === undefined ? {} : { line };
  return { ...fence, destination, attempts, verdict, endedAt: at.wall, ageMs, receivedAt, ...inLine };
}

interface Post {
  readonly target: Target;
  readonly webhook: Webhook;
  /** Which of the round's it is. */
  readonly number: number;
  readonly body: Uint8Array;
  /** What a receiver sends back of the target's secrets is not even written down (D-31). */
  readonly mask: Redact;
}

const TOO_LATE: PostResult = { kind: 'failed', failure: 'cancelled', detail: '' };

async function attempt(
  ports: CourierPorts,
  claim: Claim,
  { target, webhook, number, body, mask }: Post,
  signal: AbortSignal,
): Promise<Tried> {
  const { clock, policy } = ports;
  const { url, name = url } = webhook;
  const started = momentOf(clock);
  const endWatch = ports.stalls.begin();
  const unsigned = { messageId: claim.message.event.messageId, at: started.wall, body };
  const trace = ports.tracing?.attempt(claim, url);
  const signing = { keyOf: ports.keyOf, traceparent: trace?.traceparent };
  const request = requestTo(webhook, target, unsigned, policy.deadlineMs, signing);
  const { mayLeave } = ports;
  const asked = { ...request, workspace: workspaceOf(claim.destination), mayLeave };
  const posted = mayLeave() ? ports.transport.post(asked, signal) : Promise.resolve(TOO_LATE);
  let stalledMs = 0;
  const answer = await posted.finally(() => (stalledMs = endWatch()));
  const ended = momentOf(clock);
  const durationMs = ended.steady - started.steady;
  const outcome = outcomeDespiteStall(answer, stalledMs, policy.deadlineMs);
  const answered = answer.kind === 'answered';
  trace?.end(outcome, answered ? answer.status : undefined);
  logAttempt(ports, claim, url, outcome, durationMs);
  return {
    result: { webhook: name, outcome, retryAfterMs: answered ? retryAfterMs(answer.retryAfter, ended.wall) : 0 },
    attempt: {
      webhook: name,
      number,
      startedAt: started.wall,
      durationMs,
      ...(answer.phases === undefined ? {} : { phases: answer.phases }),
      outcome,
      ...(answered ? { status: answer.status } : {}),
      excerpt: excerptOf(answer, mask) + stallWords(outcome, stalledMs),
      rule: ruleOf(outcome),
    },
  };
}

function excerptOf(answer: PostResult, mask: Redact): string {
  if (answer.kind === 'answered') return mask(answer.excerpt);
  return UNANSWERED.has(answer.failure) ? answer.detail : mask(answer.detail);
}

function stallWords(outcome: Outcome, stalledMs: number): string {
  return outcome === 'router_stalled' ? `; the router itself stood still for ${stalledMs / 1000} s of it` : '';
}

/** One line for each attempt; a timeout is an error that is logged (HOOK-8). Paths and queries may be secrets (SAFE-3). */
function logAttempt(
  { log, shown }: Pick<CourierPorts, 'log' | 'shown'>,
  claim: Claim,
  url: string,
  outcome: Outcome,
  ms: number,
): void {
  const fields = {
    messageId: claim.message.event.messageId,
    destination: claim.destination,
    webhook: shown(url),
    round: claim.round,
    outcome,
    ms,
  };
  if (outcome === 'delivered') log.info(fields, 'attempt delivered');
  else log.warn(fields, 'attempt failed');
}
