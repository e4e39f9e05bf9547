import type { Sync } from '../model/sync.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';

/** Tellings that one transaction looks at. */
const LIMIT = 500;

/** Counts what tellings of these syncs came to, and takes back what was told by those that never arrived. Answers whether more is left. */
export async function settleEnded(tellings: Pick<TellingStorage, 'settle'>, syncs: readonly Sync[]): Promise<boolean> {
  let isMore = false;
  for (const { computation, number } of syncs.filter(isUnsettled)) {
    isMore = (await tellings.settle({ computation, sync: number, limit: LIMIT })).isMore || isMore;
  }
  return isMore;
}

function isUnsettled({ sent, delivered, failed, expired, superseded }: Sync): boolean {
  return sent > delivered + failed + expired + superseded;
}
