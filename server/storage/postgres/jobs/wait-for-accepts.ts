import type { Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';

/**
 * Transactions that store messages. They lock the table before they look at the configuration, so one that is not among
 * them will find what is committed by now. Transactions that only read, a backup say, are nothing to wait for.
 */
const WRITERS = `
  SELECT virtualtransaction AS writer FROM pg_locks
  WHERE relation = to_regclass('messages') AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const FIND = reads('find_writers', WRITERS);
const PAUSE = reads('pause', 'SELECT pg_sleep(0.05)');

const WAITING = 'after ';
/** Most accepts end within one look. A commit may be held up for minutes, for which nobody waits here. */
const MOST_LOOKS = 40;

export type Beginning =
  | { readonly isWaiting: true; readonly next: string }
  | { readonly isWaiting: false; readonly from: number };

/** Where a walk goes on: behind an id, or in wait for the accepts that were under way when it began. */
export async function waitForAccepts(queries: Queries, after: string | undefined): Promise<Beginning> {
  if (after !== undefined && !after.startsWith(WAITING)) return { isWaiting: false, from: Number(after) };
  const begun = after?.slice(WAITING.length).split(' ');
  const now = (await queries.run<{ readonly writer: string }>(FIND)).map(({ writer }) => writer);
  const left = begun === undefined ? now : begun.filter((writer) => now.includes(writer));
  if (left.length === 0) return { isWaiting: false, from: 0 };
  await queries.run(PAUSE);
  return { isWaiting: true, next: `${WAITING}${left.join(' ')}` };
}

/** The same for one look after the other, two seconds at most. */
export async function waitLonger(queries: Queries, after: string | undefined): Promise<Beginning> {
  let place = await waitForAccepts(queries, after);
  for (let looks = 1; place.isWaiting && looks < MOST_LOOKS; looks += 1)
    place = await waitForAccepts(queries, place.next);
  return place;
}
