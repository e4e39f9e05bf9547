import type pg from 'pg';
import { StoreUnavailable } from '../../config-store.ts';
import { StorageUnusable } from '../../errors.ts';
import type { Address, Host } from './address.ts';
import { answered, type Deadlines } from './deadline.ts';
import { driver } from './driver.ts';
import { AnotherServer, said, wayOut } from './failures.ts';
import { HostPool } from './host-pool.ts';
import { prepareConnection } from './pinned.ts';
import type { Timeline } from './timeline.ts';
import { columnTypes } from './types.ts';

/** The server keeps what a connection has prepared; one that nobody needs is given back. */
const IDLE_MS = 60_000;

/** The connections to a database, over its hosts in turn: the one that took writes last comes first. */
export class Hosts {
  readonly #address: Address;
  readonly #deadlines: Deadlines;
  readonly #timeline: Timeline;
  readonly #pools: readonly HostPool[];
  /** After how many losses a connection was last known to be good. */
  readonly #goodAt = new WeakMap<pg.ClientBase, number>();
  #losses = 0;
  /** Once it has looked which of the hosts was promoted last. */
  #surveyed: Promise<unknown> | undefined;
  #current = 0;

  constructor(address: Address, deadlines: Deadlines, timeline: Timeline) {
    this.#address = address;
    this.#deadlines = deadlines;
    this.#timeline = timeline;
    this.#pools = address.hosts.map((host) => this.#poolOf(host));
  }

  /** For the answer to a statement of its connections. */
  get answerMs(): number {
    return this.#deadlines.answerMs;
  }

  /** A connection that takes writes; it has to be given back. Rejects with StoreUnavailable, or StorageUnusable. */
  async take(): Promise<pg.PoolClient> {
    const asked = this.#timeline.latest;
    await (this.#surveyed ??= this.#survey());
    const failures: string[] = [];
    // Others find one meanwhile: each host is tried once all the same.
    const first = this.#current;
    for (let tried = 0; tried < this.#pools.length; tried += 1) {
      const index = (first + tried) % this.#pools.length;
      try {
        const client = await this.#takeFrom(index);
        this.#current = index;
        return this.#ofTimeline(asked, client);
      } catch (error) {
        if (error instanceof StorageUnusable || error instanceof AnotherServer) throw error;
        const { host = '', port = 0 } = this.#address.hosts[index] ?? {};
        failures.push(`${host}:${port}: ${said(error)}${wayOut(error)}`);
      }
    }
    throw new StoreUnavailable(`the database cannot be reached: ${failures.join('; ')}`);
  }

  /** What was asked with what is known of one server may be wrong for another, as the numbers that it gives to what is new. */
  #ofTimeline(asked: number, client: pg.PoolClient): pg.PoolClient {
    if (asked === 0 || asked === this.#timeline.latest) return client;
    this.giveBack(client);
    throw new AnotherServer('another server has taken over, or this one was put back to an earlier moment');
  }

  /** A router that has just started has seen none of them: it looks at all before it works with one. */
  async #survey(): Promise<void> {
    if (this.#pools.length === 1) return;
    const looks = this.#pools.map(async (_, index) => this.giveBack(await this.#takeFrom(index)));
    await Promise.allSettled(looks);
  }

  giveBack(client: pg.PoolClient): void {
    this.#goodAt.set(client, this.#losses);
    client.release();
  }

  /** Closes a connection that broke. What cut it may have cut those that are idle, and nobody was told: they close too. */
  lose(client: pg.PoolClient): void {
    this.#losses += 1;
    this.discard(client);
  }

  /** Closes a connection that nobody needs any more. */
  discard(client: pg.PoolClient): void {
    client.release(true);
  }

  /** Waits for those who have a connection. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  async #takeFrom(index: number): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool(index).connect();
      if (!this.#goodAt.has(client)) await this.#prepare(client);
      if (this.#goodAt.get(client) === this.#losses && !this.#timeline.isOver(client)) return client;
      this.discard(client);
    }
  }

  async #prepare(client: pg.PoolClient): Promise<void> {
    const losses = this.#losses;
    try {
      await answered(client, this.#connectMs, prepareConnection(client, this.#address.schema, this.#deadlines));
      await answered(client, this.#connectMs, this.#timeline.look(client));
    } catch (error) {
      this.discard(client);
      throw error;
    }
    this.#goodAt.set(client, losses);
  }

  /** How long a connection may take to come, or a caller may wait for one that is free. */
  get #connectMs(): number {
    return this.#deadlines.idleMs / 2;
  }

  #pool(index: number): HostPool {
    const pool = this.#pools[index];
    if (pool === undefined) throw new Error(`there is no host ${index}`);
    return pool;
  }

  #poolOf({ host, port, ssl }: Host): HostPool {
    const { user, password, database, pool: max } = this.#address;
    const { Pool } = driver();
    const pool = new Pool({
      host,
      port,
      user,
      password,
      database,
      max,
      ssl: ssl ?? false,
      application_name: 'waybill',
      connectionTimeoutMillis: this.#connectMs,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      types: columnTypes(),
    });
    // Whoever asks something hears of a connection that breaks; while nobody does, it only leaves the pool. It may break as soon as it
    // is there, before anybody is given it.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('error', () => undefined);
    return new HostPool(pool);
  }
}
