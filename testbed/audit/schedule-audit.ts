import { classOf } from '../../server/model/outcome.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import { lastTryAt, longestWait } from '../../server/delivery/schedule.ts';
import { spanText } from '../report/time-text.ts';
import { textOf } from '../receiver/received.ts';
import { lockStep } from './lock-step.ts';
import { answered, attemptsOf, nameOf, type Observed, type Violation } from './observed.ts';
import { type Parked, parkedIn } from './parking.ts';

export interface ScheduleOptions {
  /** The figures of the sender; default those of production (docs/retries.md). */
  readonly policy?: Partial<DeliveryPolicy>;
  /** How much later than planned an attempt may come: a machine is busy, the network slow. Default 2 s. */
  readonly toleranceMs?: number;
  /** Until when was observed, in milliseconds since the epoch; default the last arrival. */
  readonly until?: number;
}

interface Audit {
  readonly policy: DeliveryPolicy;
  readonly toleranceMs: number;
  readonly until: number;
  /** Where the destination may have been parked, probes take the place of the schedule (D-25). */
  readonly isParked: Parked;
}

/** Whether the attempts of each event came when the published schedule says, and none where none may come. */
export function auditSchedule(observed: readonly Observed[], options: ScheduleOptions = {}): readonly Violation[] {
  const policy = { ...DEFAULT_POLICY, ...options.policy };
  const until = options.until ?? Math.max(...observed.map(({ at }) => at));
  const isParked = parkedIn(observed, policy);
  const audit: Audit = { policy, toleranceMs: options.toleranceMs ?? 2_000, until, isParked };
  const events = attemptsOf(observed);
  return [...events.flatMap((attempts) => auditEvent(attempts, audit)), ...lockStep(events, policy, isParked)];
}

function auditEvent(attempts: readonly Observed[], audit: Audit): readonly Violation[] {
  return attempts.flatMap((attempt, index) => {
    const before = attempts[index - 1];
    return [
      ...windowFault(attempt, audit),
      ...(before === undefined ? [] : followFaults(before, attempt, index, audit)),
      ...(index === attempts.length - 1 ? missing(attempt, attempts, audit) : []),
    ];
  });
}

function windowFault(attempt: Observed, { policy, toleranceMs }: Audit): readonly Violation[] {
  const late = attempt.at - acceptedAt(attempt) - policy.windowMs;
  if (late <= toleranceMs) return [];
  const since = new Date(acceptedAt(attempt)).toISOString();
  const words = `${nameOf(attempt)} came ${spanText(late)} after its window had ended: its body says that it was accepted at ${since}`;
  return [{ rule: 'retry-window', words }];
}

function followFaults(before: Observed, attempt: Observed, index: number, audit: Audit): readonly Violation[] {
  const { outcome } = answered(before, audit.policy.deadlineMs);
  if (classOf(outcome) === 'success')
    return [
      {
        rule: 'first-success-ends',
        words: `${nameOf(attempt)} was sent again after #${before.number} had been accepted`,
      },
    ];
  if (classOf(outcome) === 'permanent')
    return [
      {
        rule: 'refusal-ends',
        words: `${nameOf(attempt)} was sent again after #${before.number} was refused for good (${outcome})`,
      },
    ];
  const altered =
    Buffer.compare(before.body, attempt.body) === 0
      ? []
      : [
          {
            rule: 'same-bytes',
            words: `${nameOf(attempt)} differs in its body from #${before.number}: a retry sends the same bytes`,
          },
        ];
  return [...altered, ...gapFault(before, attempt, index, audit)];
}

/** The wait before an attempt: from the upper half of its bound, or what Retry-After asks for when that is longer (D-23). */
function gapFault(before: Observed, attempt: Observed, round: number, audit: Audit): readonly Violation[] {
  const { policy, toleranceMs } = audit;
  const { endedAt, retryAfterMs } = answered(before, policy.deadlineMs);
  const gap = attempt.at - endedAt;
  const isProbe = audit.isParked(endedAt, attempt.at);
  const bound = longestWait(policy, isProbe ? 1 : round);
  const isLast = attempt.at >= lastTryAt(policy, acceptedAt(attempt)) - toleranceMs;
  const least = isLast ? 0 : Math.max(bound / 2, isProbe ? 0 : retryAfterMs);
  const most = isProbe ? Number.POSITIVE_INFINITY : Math.max(bound, retryAfterMs) + toleranceMs;
  // Clocks are whole milliseconds on both sides; what was asked in seconds may be read some milliseconds later.
  if (gap >= least - 5 && gap <= most) return [];
  const range = `${spanText(least)} to ${isProbe ? 'any' : spanText(Math.max(bound, retryAfterMs))}`;
  const words = `${nameOf(attempt)} came ${spanText(Math.max(0, gap))} after attempt ${round} had ended; the schedule says ${range}`;
  return [{ rule: 'retry-schedule', words }];
}

/** An event that failed temporarily must have come again by now, unless its window is over. */
function missing(
  last: Observed,
  attempts: readonly Observed[],
  { policy, toleranceMs, until, isParked }: Audit,
): readonly Violation[] {
  const { outcome, endedAt, retryAfterMs } = answered(last, policy.deadlineMs);
  if (classOf(outcome) !== 'temporary') return [];
  const finalTry = lastTryAt(policy, acceptedAt(last));
  const wait = Math.max(longestWait(policy, attempts.length), retryAfterMs);
  const due = isParked(endedAt, until) ? finalTry : Math.min(endedAt + wait, finalTry);
  if (last.at >= finalTry - toleranceMs || until <= due + toleranceMs) return [];
  return [
    {
      rule: 'retry-window',
      words: `${nameOf(last)} failed (${outcome}), and was not tried again within ${spanText(until - endedAt)}`,
    },
  ];
}

/** When the router took the event. A delete does not say so, but its time is that of the request. */
function acceptedAt(attempt: Observed): number {
  const time = Date.parse(textOf(attempt, 'receivedAt') ?? textOf(attempt, 'timestamp') ?? '');
  return Number.isNaN(time) ? attempt.at : time;
}
