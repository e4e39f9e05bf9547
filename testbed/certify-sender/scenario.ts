import { failed, type Judgment, type Scenario, skipped } from '../certify/scenario.ts';
import { spanText } from '../report/time-text.ts';
import { endOf, type Sent } from './sent.ts';
import type { Trial } from './trial.ts';

/** One thing that a sender is looked at for. */
export interface SenderScenario extends Pick<Scenario, 'id' | 'title' | 'expects'> {
  readonly run: (trial: Trial) => Promise<Judgment> | Judgment;
  /** It has the time that is kept for it, when the budget is over for others. */
  readonly hasReserve?: true;
}

/** What a verdict needs was not observed: that speaks neither for the sender nor against it. */
export function notJudged(why: string): Judgment {
  return skipped(`not judged: ${why}`);
}

export function notArrived(trial: Trial): Judgment {
  return notJudged(`its event did not arrive within ${spanText(trial.times.arrivalMs)}`);
}

/** No attempt followed the last one. */
export function notRetried(trial: Trial, last: Sent): Judgment {
  return noRetryWithin(trial, trial.now() - endOf(last, trial.now()));
}

/** Who waits so long has waited by one clock, and is asked by another: each is read in whole milliseconds. */
const CLOCKS_MS = 2;

interface Promised {
  readonly times: Pick<Trial['times'], 'promisedMs'>;
}

/** Only a promise makes that a failure: the retry may come tomorrow. */
export function noRetryWithin({ times: { promisedMs } }: Promised, waited: number): Judgment {
  const seen = spanText(Math.max(0, waited));
  if (promisedMs === undefined)
    return notJudged(`no retry came within ${seen}; say with --retry-within when one has to`);
  if (waited + CLOCKS_MS < promisedMs)
    return notJudged(`no retry came within ${seen}, when the time was over; give --budget more`);
  return failed(`no retry came within ${spanText(promisedMs)}, as --retry-within says; send the event again by then`);
}
