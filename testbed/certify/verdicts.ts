import type { Judgment, Verdict } from './scenario.ts';

type Judged = Pick<Judgment, 'verdict'>;

/** What a run says of the receiver. */
export type Finding = 'passed' | 'failed' | 'not-judged';

/** How each verdict is counted, in the order in which people read them. */
const COUNTED: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  advice: 'with advice',
  failed: 'failed',
  skipped: 'skipped',
  'not-asked': 'not for this sender',
  'not-judged': 'not judged',
};
/** A count that is told even when it is 0. */
const ALWAYS: ReadonlySet<string> = new Set<Verdict>(['passed', 'failed']);

/** What was skipped or not asked speaks neither for a receiver nor against it: with nothing else it is not judged. */
export function findingOf(results: readonly Judged[]): Finding {
  const isAny = (verdict: Verdict): boolean => results.some((result) => result.verdict === verdict);
  if (isAny('not-judged') || results.every(({ verdict }) => verdict === 'skipped' || verdict === 'not-asked'))
    return 'not-judged';
  return isAny('failed') ? 'failed' : 'passed';
}

/** Whether the receiver keeps the contract (D-53): one that was not judged does not pass. */
export function hasPassed(results: readonly Judged[]): boolean {
  return findingOf(results) === 'passed';
}

/** `40 passed`, `0 failed`, `4 skipped`. */
export function tally(results: readonly Judged[], unseen = COUNTED.skipped): readonly string[] {
  return Object.entries({ ...COUNTED, skipped: unseen }).flatMap(([verdict, words]) => {
    const count = results.filter((result) => result.verdict === verdict).length;
    return count > 0 || ALWAYS.has(verdict) ? [`${count} ${words}`] : [];
  });
}
