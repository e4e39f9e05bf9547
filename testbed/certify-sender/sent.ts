import type { Turn } from '../fault-script/player.ts';
import type { Ending } from '../receiver/exchange.ts';
import type { Arrival } from '../receiver/recorder.ts';

/** A request of the sender, as it came, and what was done about it. */
export interface Sent extends Arrival {
  /** Order of arrival, from 1. */
  readonly number: number;
  /** What says which event it is, by its header or field; undefined when nothing does. */
  readonly id: string | undefined;
  /** It went where a redirect pointed. */
  readonly isElsewhere: boolean;
  /** So much of the time before `at` may have passed since it came: this process was busy. */
  readonly lateMs: number;
  /** The step that it was answered by, in the short form of fault scripts. */
  readonly step: string;
  readonly turn: Turn;
  /** How its exchange ended; undefined while it is under way. */
  end?: { readonly at: number; readonly ending: Ending };
}

/** Answers the step for an attempt of an event, which comes at `at`; attempts count from 1, and the event has the earlier ones. */
export type Plan = (attempt: number, event: TriedEvent, at: number) => string;

/** The first attempt meets the step, all later ones are well. */
export function atFirst(step: string): Plan {
  return (attempt) => (attempt === 1 ? step : '200');
}

/** One event that the sender was asked for. */
export interface TriedEvent {
  /** A text that the trigger can carry into the event, and that no other one has. */
  readonly mark: string;
  /** The id of the scenario that it is of. */
  readonly scenario: string;
  readonly askedAt: number;
  /** When its trigger had done its work; undefined until then. */
  madeAt?: number;
  /** Set while its scenario runs; afterwards all that still comes is answered 200. */
  plan: Plan;
  /** Its attempts, in order of arrival. */
  readonly attempts: Sent[];
  /** Requests that followed a redirect. */
  readonly elsewhere: Sent[];
}

/** What passed between the end of each attempt and the next one. */
export function waitsOf(attempts: readonly Sent[]): readonly number[] {
  return attempts.slice(1).map(({ at }, index) => at - endOf(attempts[index], at));
}

/** An exchange that is still under way has no end before `now`. */
export function endOf(sent: Sent | undefined, now: number): number {
  return Math.min(sent?.end?.at ?? now, now);
}

/** Answered 2xx at once and whole: nothing is left that could be a reason to send it again. */
export function isTaken({ step, end }: Sent): boolean {
  return /^2\d\d$/.test(step) && end?.ending === 'completed';
}
