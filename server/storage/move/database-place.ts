import { StorageUnusable } from '../errors.ts';
import { systemClock } from '../../system-clock.ts';
import { readAddress } from '../postgres/connection/address.ts';
import { type Database, openDatabase, type Queries } from '../postgres/connection/database.ts';
import { reads } from '../postgres/connection/statement.ts';
import { measure } from '../postgres/deliveries/members.ts';
import { measuredTime } from '../postgres/time.ts';

/** A statement may go through a whole table. */
const DEADLINE_MS = 3_600_000;
/** How exactly two clocks can be compared: what is less apart stays as it is. */
const EXACT_MS = 1_000;

const ROUTERS = reads('move_routers', 'SELECT router FROM nodes WHERE until > now_ms() ORDER BY router');

/** Opens a database whose tables have our format, for one move. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(readAddress(url), DEADLINE_MS);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** By how much the clock of the database is later than ours. */
export async function laterBy(queries: Queries): Promise<number> {
  const time = measuredTime(systemClock);
  await measure(queries, time);
  return Math.round(time.toDatabase(0) / EXACT_MS) * EXACT_MS;
}

export async function refuseRouters(queries: Queries, shown: string): Promise<void> {
  const routers = await queries.run<{ readonly router: string }>(ROUTERS);
  if (routers.length === 0) return;
  const names = routers.map(({ router }) => router).join(', ');
  throw new StorageUnusable(
    `routers use ${shown} (${names}): stop them first, or wait 10 seconds after they were killed`,
  );
}
