import type { Attempt, DeliveryId, DeliveryState, RoundRecord } from './delivery.ts';
import type { Event } from './message.ts';

/** What a delivery must be like to be found; what is absent does not matter. Times in milliseconds since the epoch. */
export interface LogFilter {
  readonly states?: readonly DeliveryState[];
  readonly type?: Event['type'];
  /** The name of a tracked event. */
  readonly event?: string;
  readonly userId?: string;
  /** Accepted at this moment or later … */
  readonly from?: number;
  /** … and before this one. */
  readonly to?: number;
}

/** A delivery as the log lists it. */
export interface LoggedDelivery {
  readonly delivery: DeliveryId;
  readonly messageId: string;
  readonly type: Event['type'];
  readonly event: string;
  readonly userId: string;
  readonly state: DeliveryState;
  /** Rounds begun, over all replays. */
  readonly rounds: number;
  readonly replays: number;
  readonly receivedAt: number;
  /** Set while it is pending; in steady time, as nothing else of the log. */
  readonly dueAt?: number;
  /** Set once it has ended. */
  readonly endedAt?: number;
}

/** An attempt, with the round it was part of, and when the verdict of that round made the delivery due again. */
export interface LoggedAttempt extends Attempt {
  readonly round: number;
  readonly nextDueAt?: number;
}

/** When a delivery was replayed, and how many rounds it had by then. */
export interface LoggedReplay {
  readonly at: number;
  readonly earlierRounds: number;
}

export interface DeliveryStory extends LoggedDelivery {
  /** In the order in which they ended. */
  readonly attempts: readonly LoggedAttempt[];
  /** Oldest first. */
  readonly replayed: readonly LoggedReplay[];
}

/**
 * How often something happened within an hour. `what` is an end (`delivered`, `failed`, `expired`, `cancelled`),
 * `retried:<status or outcome>`, or `time:<n>`, a success after the time that `successTimeMs(n)` bounds.
 */
export interface HourlyCount {
  /** Begin of the hour, in milliseconds since the epoch. */
  readonly hour: number;
  readonly what: string;
  readonly count: number;
}

/** What counts of some hours and destinations come to. */
export interface HourlySums {
  /** All counts of each destination that has any; in no order. */
  readonly destinations: readonly DestinationCount[];
  /** How deliveries ended in each hour, whatever their destination; in no order. */
  readonly hours: readonly HourlyCount[];
}

export interface DestinationCount extends Omit<HourlyCount, 'hour'> {
  readonly destination: string;
}

/** What is counted of deliveries that ended. */
export const ENDS = ['delivered', 'failed', 'expired', 'cancelled'] as const;

/** Classes per doubling of the time: a percentile is read at most 4.5 % too high. */
const PER_DOUBLING = 16;

/** The class of a time from acceptance, or from the last replay, to the success; in milliseconds. */
export function successTimeClass(ms: number): number {
  return Math.ceil(PER_DOUBLING * Math.log2(Math.max(0, ms) + 1));
}

/** The longest time of a class, in milliseconds. */
export function successTimeMs(successClass: number): number {
  return Math.round(2 ** (successClass / PER_DOUBLING) - 1);
}

/** What the hour of its end counts of a round whose verdict counts. */
export function countedAs({ attempts, verdict, ageMs }: RoundRecord): readonly string[] {
  if (verdict.state === 'delivered') return [verdict.state, `time:${successTimeClass(ageMs)}`];
  if (verdict.state !== 'pending') return [verdict.state];
  const retried = attempts.filter(({ webhook }) => !verdict.closed.includes(webhook));
  return retried.map(({ status, outcome }) => `retried:${status ?? outcome}`);
}

/** When a webhook is tried again, by the wall, as all that the log shows; undefined when it is not. */
export function triedAgainAt({ verdict, endedAt }: RoundRecord, webhook: string): number | undefined {
  const isRetried = verdict.state === 'pending' && !verdict.closed.includes(webhook);
  return isRetried ? endedAt + verdict.dueAt - verdict.setAt : undefined;
}
