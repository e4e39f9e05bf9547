import { expect } from 'vitest';
import type { Database } from '../../storage/postgres/connection/database.ts';
import { reads, writes } from '../../storage/postgres/connection/statement.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Who waits for a synchronous standby. */
export const WAITING = reads('waiting', "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
/** Ends such a wait. */
export const CANCEL = reads('cancel', 'SELECT pg_cancel_backend($1)');
/** Also where there are no tables yet. */
const WRITE = writes('write', "SELECT pg_logical_emit_message(true, 'waybill', '')");
const STANDBYS = reads('standbys', "SELECT current_setting('synchronous_standby_names') AS names");

/** From now on commits wait for the standbys of these names; for none where it is empty. */
export async function expectStandbys(server: PostgresServer, observer: Database, names: string): Promise<void> {
  server.configure({ synchronous_standby_names: names });
  await server.reload();
  await expect.poll(() => observer.run(STANDBYS)).toEqual([{ names }]);
  if (names !== '') await expect.poll(() => commitWaits(observer)).toBe(true);
}

/** A connection may have heard of the setting before that process of the server has by which commits wait. */
async function commitWaits(observer: Database): Promise<boolean> {
  let isOver = false;
  const commit = observer
    .run(WRITE)
    .catch(() => undefined)
    .finally(() => (isOver = true));
  const waiting = async (): Promise<number | undefined> => {
    const [one] = await observer.run<{ readonly pid: number }>(WAITING);
    return one?.pid ?? (isOver ? undefined : waiting());
  };
  const pid = await waiting();
  if (pid !== undefined) await observer.run(CANCEL, [pid]);
  await commit;
  return pid !== undefined;
}
