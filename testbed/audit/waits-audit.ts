import { classOf } from '../../server/model/outcome.ts';
import { Complaint } from '../fault-script/script-error.ts';
import type { Duration } from '../fault-script/step.ts';
import { milliseconds } from '../fault-script/units.ts';
import { spanText } from '../report/time-text.ts';
import { answered, attemptsOf, nameOf, type Observed, type Violation } from './observed.ts';

const LEAST_SLACK_MS = 2_000;
/** Senders spread their waits: by as much to either side is no fault, unless a tolerance says otherwise. */
const SPREAD = 0.2;

export interface Waits {
  /** Before the second attempt, before the third, and so on; after the last one the sender gives up. */
  readonly waits: readonly Duration[];
  readonly deadlineMs: number;
  readonly toleranceMs: number | undefined;
  readonly until: number;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Whether attempts came after the waits that their sender publishes, and no others. Throws a TypeError for a wait that is none. */
export function auditWaits(observed: readonly Observed[], { waits, ...rest }: Waits): readonly Violation[] {
  if (!Array.isArray(waits) || waits.length === 0)
    throw new TypeError("waits lists no wait; give one before each retry, such as ['5s', '5m', '30m']");
  const inMs = waits.map(waitMs);
  const boundsOf = (attempt: number): Bounds | undefined => {
    const wait = inMs[attempt - 1];
    if (wait === undefined) return undefined;
    const slack = rest.toleranceMs ?? Math.max(LEAST_SLACK_MS, wait * SPREAD);
    return { least: Math.max(0, wait - slack), most: wait + slack };
  };
  return attemptsOf(observed).flatMap((attempts) => [
    ...attempts.slice(1).flatMap((attempt, index) => gapFault(attempts.slice(0, index + 1), attempt, boundsOf, rest)),
    ...missing(attempts, boundsOf, rest),
  ]);
}

type BoundsOf = (attempt: number) => Bounds | undefined;
type Seen = Omit<Waits, 'waits'>;

function gapFault(
  earlier: readonly Observed[],
  attempt: Observed,
  boundsOf: BoundsOf,
  seen: Seen,
): readonly Violation[] {
  const before = earlier.at(-1);
  if (before === undefined) return [];
  const { outcome, endedAt, retryAfterMs } = answered(before, seen.deadlineMs);
  const name = nameOf(attempt);
  if (classOf(outcome) === 'success')
    return [{ rule: 'first-success-ends', words: `${name} was sent again after #${before.number} had been accepted` }];
  const bounds = boundsOf(earlier.length);
  if (bounds === undefined) {
    const all = earlier.length === 2 ? 'the one retry' : `all ${earlier.length - 1} retries`;
    return [{ rule: 'retry-window', words: `${name} came after ${all} of the schedule` }];
  }
  const gap = attempt.at - endedAt;
  const most = Math.max(bounds.most, retryAfterMs + (bounds.most - bounds.least) / 2);
  if (gap >= bounds.least && gap <= most) return [];
  const range = `${spanText(bounds.least)} to ${spanText(most)}`;
  const words = `${name} came ${spanText(Math.max(0, gap))} after attempt ${earlier.length} had ended; the schedule says ${range}`;
  return [{ rule: 'retry-schedule', words }];
}

/** An event that failed must have come again by now, unless the schedule is over. */
function missing(attempts: readonly Observed[], boundsOf: BoundsOf, { deadlineMs, until }: Seen): readonly Violation[] {
  const [last, bounds] = [attempts.at(-1), boundsOf(attempts.length)];
  if (last === undefined || bounds === undefined) return [];
  const { outcome, endedAt, retryAfterMs } = answered(last, deadlineMs);
  if (classOf(outcome) !== 'temporary' || until <= endedAt + Math.max(bounds.most, retryAfterMs)) return [];
  const words = `${nameOf(last)} failed (${outcome}), and was not tried again within ${spanText(until - endedAt)}`;
  return [{ rule: 'retry-window', words }];
}

function waitMs(wait: Duration): number {
  try {
    return milliseconds(wait);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    throw new TypeError(`In waits, ${error.message}`, { cause: error });
  }
}
