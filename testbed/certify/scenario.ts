import type { Courier } from './courier.ts';

/**
 * `advice` does not keep a receiver from passing: it works, and could be safer. `skipped` says that what a verdict needs
 * was not observed; `not-asked`, that the scenario is not for receivers of this sender; `not-judged`, that it was not run,
 * because the first event was not accepted.
 */
export type Verdict = 'passed' | 'failed' | 'advice' | 'skipped' | 'not-asked' | 'not-judged';

export interface Judgment {
  readonly verdict: Verdict;
  /** What was seen, for people; no secrets. */
  readonly words: string;
}

/** Whose events they are. */
export type Sender = Pick<Courier, 'scheme' | 'isGiven'>;

/** One thing that a receiver has to stand. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What a good receiver does, and why it matters. */
  readonly expects: string;
  /** Why it cannot be asked of receivers of this sender's events, in words; undefined where it can. Default of all. */
  readonly notFor?: (sender: Sender) => string | undefined;
  readonly run: (courier: Courier) => Promise<Judgment>;
}

const OWN = 'Waybill’s own';

/** For a scenario that is about Waybill's own events. */
export function ofWaybill({ isGiven }: Sender): string | undefined {
  return isGiven ? OWN : undefined;
}

/** For a scenario that is about Waybill's own signature. */
export function ofSignature({ scheme }: Sender): string | undefined {
  return scheme.name === 'waybill' ? undefined : OWN;
}

export function passed(words: string): Judgment {
  return { verdict: 'passed', words };
}

export function failed(words: string): Judgment {
  return { verdict: 'failed', words };
}

export function skipped(words: string): Judgment {
  return { verdict: 'skipped', words };
}

/** The first that is not well; else `good` about all of them. */
export function worst(judgments: readonly Judgment[], good: string): Judgment {
  const order: readonly Verdict[] = ['failed', 'advice'];
  for (const verdict of order) {
    const found = judgments.find((judgment) => judgment.verdict === verdict);
    if (found !== undefined) return found;
  }
  return passed(good);
}

/** What begins with a quotation stays as it is: `"null" was answered 500`. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
