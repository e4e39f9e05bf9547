import type { RoundRecord } from '../model/delivery.ts';
import { successTimeClass } from '../model/success-time.ts';

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
