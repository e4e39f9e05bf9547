import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../check/free-port.ts';
import { newFolder, PostgresServer, startPostgres } from '../../server/tests/support/postgres-server.ts';

/** The name by which the primary knows its standby. */
const STANDBY = 'standby';
const LOOK_MS = 100;
const SMALL_DISK = 2e9;
const SMALL_DISK_WAY = 'run this with TMPDIR on a tmpfs of 1 GB';

/** The storage of routers, where these ports lead to the servers of a pair. */
export function urlOfPair(ports: readonly number[]): string {
  return `postgres://waybill@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres`;
}

/** A primary, and a standby that has each commit before it is answered. */
export class DatabasePair implements AsyncDisposable {
  #primary: PostgresServer;
  #standby: PostgresServer;

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    [this.#primary, this.#standby] = [primary, standby];
  }

  static async start(): Promise<DatabasePair> {
    const primary = await startPostgres({ tcp: true });
    try {
      const pair = new DatabasePair(primary, await standbyOf(primary, await freePort()));
      await pair.#follow();
      return pair;
    } catch (error) {
      await primary.stop();
      throw error;
    }
  }

  /** Ports of both, always in the same order. */
  get ports(): readonly [number, number] {
    const [one, other] = [this.#primary.port, this.#standby.port].toSorted((a, b) => a - b);
    return [one ?? 0, other ?? 0];
  }

  /** The primary dies, and the standby takes over. */
  async loseThePrimary(): Promise<void> {
    process.kill(this.#primary.pid, 'SIGKILL');
    await this.#takeOver();
  }

  async #takeOver(): Promise<void> {
    await this.#standby.promote();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.#expectStandby(false);
  }

  /** The server that was lost last takes writes again, as if there were no other. */
  async returnTheOldPrimary(): Promise<{ hasNews(): Promise<boolean> }> {
    const old = this.#standby;
    old.configure({ synchronous_standby_names: '' });
    // Its first process is gone; the others follow.
    await old.end('immediate');
    await old.start();
    const commits = async (): Promise<unknown> =>
      (await rowsOf(old, 'SELECT max(xact::text), count(*) FROM waybill.commits'))[0];
    const before = await commits();
    return { hasNews: async () => !isDeepStrictEqual(await commits(), before) };
  }

  /** Whichever server is gone comes back as the standby, from a new copy. */
  async rebuildTheStandby(): Promise<void> {
    const { port } = this.#standby;
    await this.#standby.stop();
    this.#standby = await standbyOf(this.#primary, port);
    await this.#follow();
  }

  /** From now on commits wait for a standby that is not there. */
  async loseTheStandby(): Promise<void> {
    await this.#standby.end('immediate');
  }

  async returnTheStandby(): Promise<void> {
    await this.#standby.start();
    await this.#follow();
  }

  /** The primary ends without a word to anybody, and starts again. */
  async crashThePrimary(): Promise<void> {
    await this.#primary.end('immediate');
    await this.#primary.start();
    await this.#follow();
  }

  /** Without a standby: what waited for one is seen by all from then on, although no other server has it. */
  async restartThePrimaryAlone(): Promise<void> {
    await this.#primary.end('immediate');
    await this.#primary.start();
  }

  /** The primary dies, and the standby, which was gone, takes over as it was then. */
  async promoteTheLostStandby(): Promise<void> {
    process.kill(this.#primary.pid, 'SIGKILL');
    await this.#standby.start();
    await this.#takeOver();
  }

  /** Leaves the disk no room before this is disposed of; throws where that would be the disk of this machine. */
  async fillDisk(): Promise<AsyncDisposable> {
    const { folder } = this.#primary;
    const { blocks, bsize } = await statfs(folder);
    if (blocks * bsize > SMALL_DISK)
      throw new Error(`the disk of ${folder} is too large to be filled: ${SMALL_DISK_WAY}`);
    const filler = join(folder, 'filler');
    const file = await open(filler, 'w');
    try {
      for (;;) await file.write(Buffer.alloc(2 ** 16));
    } catch {
      // There is no room left.
    } finally {
      await file.close();
    }
    const restart = async (): Promise<void> => {
      await rm(filler);
      // Both may have ended for want of room.
      await this.#standby.end('immediate');
      await this.#primary.end('immediate');
      await this.#primary.start();
      await this.#standby.start();
      await this.#follow();
    };
    return { [Symbol.asyncDispose]: restart };
  }

  /** A transaction that has written, and is not ended before this is disposed of. */
  async holdTransaction(): Promise<AsyncDisposable> {
    const client = await clientOf(this.#primary);
    await client.query('BEGIN; CREATE TABLE public.held_open (id int)');
    return { [Symbol.asyncDispose]: () => client.end() };
  }

  rows<Row extends object>(sql: string): Promise<readonly Row[]> {
    return rowsOf(this.#primary, sql);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#primary.stop(), this.#standby.stop()]);
  }

  /** Waits until the standby has what the primary has, and makes commits wait for it from now on. */
  async #follow(): Promise<void> {
    for (let isThere = false; !isThere;) {
      const found = await this.rows(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`).catch(() => []);
      isThere = found.length > 0;
      if (!isThere) await wait(LOOK_MS);
    }
    await this.#expectStandby(true);
  }

  /** Whether commits wait for the standby, from now on. */
  async #expectStandby(isExpected: boolean): Promise<void> {
    this.#primary.configure({ synchronous_standby_names: isExpected ? STANDBY : '' });
    await this.#primary.reload();
  }
}

async function rowsOf<Row extends object>(server: PostgresServer, sql: string): Promise<readonly Row[]> {
  const client = await clientOf(server);
  try {
    const { rows } = await client.query<Row>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function clientOf({ port, user }: PostgresServer): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port, user, database: 'postgres' });
  // The server may end while nobody asks it anything.
  client.on('error', () => undefined);
  await client.connect();
  // What is set up for the run does not wait for the standby that the run has lost.
  await client.query('SET synchronous_commit = local');
  return client;
}

async function standbyOf(primary: PostgresServer, port: number): Promise<PostgresServer> {
  const folder = newFolder();
  const standby = new PostgresServer(primary.bin, folder, port);
  try {
    const from = `host=127.0.0.1 port=${primary.port} user=${primary.user} application_name=${STANDBY}`;
    await standby.run('pg_basebackup', ['-d', from, '-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast']);
    standby.configure({ port: String(port), unix_socket_directories: folder, wal_retrieve_retry_interval: '500ms' });
    await standby.start();
    return standby;
  } catch (error) {
    await standby.stop();
    throw error;
  }
}
