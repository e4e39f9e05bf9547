import { readdirSync, readFileSync } from 'node:fs';
import { readAddress } from '../../server/storage/postgres/connection/address.ts';
import { type Database, openDatabase } from '../../server/storage/postgres/connection/database.ts';
import { reads, script } from '../../server/storage/postgres/connection/statement.ts';
import { type PostgresServer, startPostgres } from '../../server/tests/support/postgres-server.ts';

/** What it cost to store an event. */
export interface Cost {
  readonly perSecond: number;
  /** Of all processes of the server. */
  readonly databaseUs: number;
  readonly routerUs: number;
  readonly walBytes: number;
}

/** A database of its own, for as long as something is measured. */
export interface Place {
  readonly server: PostgresServer;
  readonly database: Database;
}

/** What a database is spared nothing of. */
export const DURABLE = { fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB', max_wal_size: '4GB' };

const POSITION = reads('', "SELECT pg_current_wal_lsn() - '0/0' AS bytes");
const US_PER_TICK = 10_000;

export async function openPlace(opened: AsyncDisposableStack): Promise<Place> {
  const server = await startPostgres({ settings: DURABLE });
  opened.defer(() => server.stop());
  const database = openDatabase(readAddress(server.url()));
  opened.defer(() => database.close());
  return { server, database };
}

/** Measures from a checkpoint on, so that the pages that follow it are in each figure. */
export async function costOf({ server, database }: Place, events: number, work: () => Promise<void>): Promise<Cost> {
  await database.run(script('CHECKPOINT'));
  const [wal, cpu, own, begun] = [await position(database), databaseUs(server), process.cpuUsage(), performance.now()];
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(own);
  return {
    perSecond: events / seconds,
    databaseUs: (databaseUs(server) - cpu) / events,
    routerUs: (user + system) / events,
    walBytes: ((await position(database)) - wal) / events,
  };
}

export async function position(database: Database): Promise<number> {
  return (await database.run<{ readonly bytes: number }>(POSITION))[0]?.bytes ?? NaN;
}

/** The server's first process, with those of its children that have ended, and its children. */
export function databaseUs({ pid: first }: PostgresServer): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const fields = statOf(pid);
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]));
    if (pid === first) ticks += (endedUser ?? 0) + (endedSystem ?? 0);
    if (pid === first || parent === first) ticks += (user ?? 0) + (system ?? 0);
  }
  return ticks * US_PER_TICK;
}

/** What follows the name of a process; nothing once it has ended. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
