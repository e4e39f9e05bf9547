import { classOf } from '../../server/model/outcome.ts';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import { lastTryAt, longestWait } from '../../server/delivery/schedule.ts';
import { spanText } from '../report/time-text.ts';
import type { Duration } from '../fault-script/step.ts';
import { refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';
import { textOf } from '../receiver/received.ts';
import { cameTo, NotJudgedError, refuseNothing, refuseUnknownEvents } from './not-judged.ts';
import { lockStep } from './lock-step.ts';
import { answered, attemptsOf, isOfWaybill, nameOf, type Observed, type Violation } from './observed.ts';
import { type Parked, parkedIn } from './parking.ts';
import { auditWaits } from './waits-audit.ts';

export interface ScheduleOptions {
  /**
   * The figures of the sender; default those of production (docs/retries.md). Other senders have no default: give their
   * `firstWaitMs`, `maxWaitMs`, `windowMs` and `deadlineMs`; with `waits` the last alone. What only Waybill promises is not asked of them: that a 4xx is never tried again, that retries have the same bytes, and parking.
   */
  readonly policy?: Partial<DeliveryPolicy>;
  /** The waits before each retry, where the sender publishes a list of them instead of doubling: `['5s', '5m', '30m']`. */
  readonly waits?: readonly Duration[];
  /**
   * How much later than planned an attempt may come: a machine is busy, the network slow. Default 2 s. With `waits` how much
   * earlier as well; default 20 % of each, at least 2 s.
   */
  readonly toleranceMs?: number;
  /** Until when was observed, in milliseconds since the epoch; default the last arrival. */
  readonly until?: number;
}

const FIGURES = [
  'firstWaitMs',
  'maxWaitMs',
  'windowMs',
  'deadlineMs',
] as const satisfies readonly (keyof DeliveryPolicy)[];
const OF_SCHEDULE = ['policy', 'waits', 'toleranceMs', 'until'] as const satisfies readonly (keyof ScheduleOptions)[];

/** What other senders do after many failures in a row nobody promises: they keep to their schedule unless they say more. */
const NEVER_PARKED = { parkAfter: Number.POSITIVE_INFINITY };

interface Audit {
  readonly policy: DeliveryPolicy;
  readonly toleranceMs: number;
  readonly until: number;
  /** Where the destination may have been parked, probes take the place of the schedule (D-25). */
  readonly isParked: Parked;
  /** Whether the destination has taken an event between two moments: what it asked for before is over then. */
  readonly hasTaken: (from: number, to: number) => boolean;
}

interface OfEvent extends Audit {
  readonly acceptedAt: number;
  /** By its body; else its first attempt is taken for it. */
  readonly isTold: boolean;
}

/**
 * Whether the attempts of each event came when the schedule says, and none where none may come. Throws for requests of which it
 * does not know the event, or the schedule.
 */
export function auditSchedule(observed: readonly Observed[], options: ScheduleOptions = {}): readonly Violation[] {
  refuseNothing(observed);
  refuseUnknownEvents(observed, 'the retry schedule');
  refuseUnknown('The schedule', options, OF_SCHEDULE);
  refuseUndefined(' of the schedule', options, OF_SCHEDULE);
  refuseUnknown('The policy', options.policy ?? {}, Object.keys(DEFAULT_POLICY));
  refuseUndefined(' of the policy', options.policy ?? {}, Object.keys(DEFAULT_POLICY));
  const [own, others] = [observed.filter(isOfWaybill), observed.filter((each) => !isOfWaybill(each))];
  const [other] = others;
  if (other !== undefined) refuseMissing(other, options);
  checkFigures(options);
  const until = options.until ?? Math.max(...observed.map(({ at }) => at));
  const { waits, toleranceMs, policy } = options;
  if (waits !== undefined) {
    const { deadlineMs } = { ...DEFAULT_POLICY, ...policy };
    return auditWaits(observed, { waits, deadlineMs, toleranceMs, until });
  }
  return [
    ...auditSender(own, options, until),
    ...auditSender(others, { ...options, policy: { ...NEVER_PARKED, ...options.policy } }, until),
  ];
}

/** Figures of Waybill in the place of another sender's would judge it by what it never promised. */
function refuseMissing(other: Observed, { policy = {}, waits }: ScheduleOptions): void {
  const needed = waits === undefined ? FIGURES : (['deadlineMs'] as const);
  const unsaid = needed.filter((name) => policy[name] === undefined);
  if (unsaid.length === 0) return;
  const instead = waits === undefined ? ", or waits: ['5s', '5m', …] with policy: { deadlineMs }" : '';
  throw new NotJudgedError(
    `without ${unsaid.join(', ')} the schedule is that of Waybill, and ${cameTo(other)}; give the figures of its sender: policy: { ${needed.join(', ')} }${instead}`,
  );
}

function checkFigures({ policy = {}, waits, toleranceMs }: ScheduleOptions): void {
  for (const [name, value] of Object.entries({ ...policy, ...(toleranceMs !== undefined && { toleranceMs }) })) {
    if (typeof value === 'number' && value >= 0) continue;
    throw new TypeError(
      `${name} is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}; give a number, 0 or more`,
    );
  }
  const both = FIGURES.find((name) => name !== 'deadlineMs' && policy[name] !== undefined);
  if (waits === undefined || both === undefined) return;
  throw new TypeError(`${both} is of a schedule that doubles its waits, and waits lists them; give one of both`);
}

function auditSender(observed: readonly Observed[], options: ScheduleOptions, until: number): readonly Violation[] {
  const policy = { ...DEFAULT_POLICY, ...options.policy };
  const isParked = parkedIn(observed, policy);
  const taken = observed
    .map((each) => ({ at: each.at, ...answered(each, policy.deadlineMs) }))
    .filter(({ outcome }) => classOf(outcome) === 'success');
  // An attempt does not count for itself.
  const hasTaken = (from: number, to: number): boolean =>
    taken.some(({ at, endedAt }) => at < to && endedAt >= from && endedAt <= to);
  const audit: Audit = { policy, toleranceMs: options.toleranceMs ?? 2_000, until, isParked, hasTaken };
  const events = attemptsOf(observed);
  return [...events.flatMap((attempts) => auditEvent(attempts, audit)), ...lockStep(events, policy, isParked)];
}

function auditEvent(attempts: readonly Observed[], sender: Audit): readonly Violation[] {
  const [first] = attempts;
  if (first === undefined) return [];
  const audit = { ...sender, ...acceptanceOf(first) };
  return attempts.flatMap((attempt, index) => {
    const before = attempts[index - 1];
    return [
      ...windowFault(attempt, audit),
      ...(before === undefined ? [] : followFaults(before, attempt, index, audit)),
      ...(index === attempts.length - 1 ? missing(attempt, attempts, audit) : []),
    ];
  });
}

function windowFault(attempt: Observed, { policy, toleranceMs, acceptedAt, isTold }: OfEvent): readonly Violation[] {
  const late = attempt.at - acceptedAt - policy.windowMs;
  if (late <= toleranceMs) return [];
  const since = new Date(acceptedAt).toISOString();
  const told = isTold ? `its body says that it was accepted at ${since}` : `its first attempt came at ${since}`;
  const words = `${nameOf(attempt)} came ${spanText(late)} after its window had ended: ${told}`;
  return [{ rule: 'retry-window', words }];
}

function followFaults(before: Observed, attempt: Observed, index: number, audit: OfEvent): readonly Violation[] {
  const { outcome } = answered(before, audit.policy.deadlineMs);
  if (classOf(outcome) === 'success')
    return [
      {
        rule: 'first-success-ends',
        words: `${nameOf(attempt)} was sent again after #${before.number} had been accepted`,
      },
    ];
  if (!isOfWaybill(attempt)) return gapFault(before, attempt, index, audit);
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
function gapFault(before: Observed, attempt: Observed, round: number, audit: OfEvent): readonly Violation[] {
  const { policy, toleranceMs } = audit;
  const { endedAt, retryAfterMs } = answered(before, policy.deadlineMs);
  const gap = attempt.at - endedAt;
  const isProbe = audit.isParked(endedAt, attempt.at);
  const bound = longestWait(policy, isProbe ? 1 : round);
  const isLast = attempt.at >= lastTryAt(policy, audit.acceptedAt) - toleranceMs;
  const askedMs = isProbe && audit.hasTaken(endedAt, attempt.at) ? 0 : retryAfterMs;
  const least = isLast ? 0 : Math.max(bound / 2, askedMs);
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
  { policy, toleranceMs, until, isParked, acceptedAt }: OfEvent,
): readonly Violation[] {
  const { outcome, endedAt, retryAfterMs } = answered(last, policy.deadlineMs);
  if (classOf(outcome) !== 'temporary') return [];
  const finalTry = lastTryAt(policy, acceptedAt);
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

/** When the event was accepted. A delete does not say so, but its time is that of the request; other senders do not either. */
function acceptanceOf(first: Observed): Pick<OfEvent, 'acceptedAt' | 'isTold'> {
  const told = isOfWaybill(first) ? (textOf(first, 'receivedAt') ?? textOf(first, 'timestamp')) : undefined;
  const time = Date.parse(told ?? '');
  return Number.isNaN(time) ? { acceptedAt: first.at, isTold: false } : { acceptedAt: time, isTold: true };
}
