import type { Sync } from '../model/sync.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';

/** Mostly the last one was computed; where none was for a month, as each failed after ten minutes, there are thousands. */
const PAGE = { first: 20, further: 500 };

/** The syncs before one, newest first, down to the last that was computed; where none was, all that there are. */
export async function sinceComputed(
  { computation, number }: Pick<Sync, 'computation' | 'number'>,
  tellings: Pick<TellingStorage, 'listSyncs'>,
  limit = PAGE.first,
): Promise<readonly Sync[]> {
  const page = await tellings.listSyncs({ computations: [computation], before: number, limit });
  const computed = page.findIndex((one) => one.computed !== undefined);
  if (computed !== -1) return page.slice(0, computed + 1);
  const oldest = page.at(-1);
  if (oldest === undefined || page.length < limit) return page;
  return [...page, ...(await sinceComputed(oldest, tellings, PAGE.further))];
}
