import type pg from 'pg';
import { driver } from './driver.ts';

/** SQLSTATE: others have all connections that the server, the database or the role may have. */
const TOO_MANY = '53300';
/** For so long a server that had no connection left is not asked for another. */
const FULL_MS = 1_000;
const MAX_TRIES = 3;

/** The connections to one server. Where it has none left, those that are there are waited for. */
export class HostPool {
  readonly #pool: pg.Pool;
  readonly #max: number;
  #connected = 0;

  constructor(pool: pg.Pool) {
    [this.#pool, this.#max] = [pool, pool.options.max];
    pool.on('connect', () => (this.#connected += 1));
    pool.on('remove', () => (this.#connected -= 1));
  }

  async connect(): Promise<pg.PoolClient> {
    let refusal: unknown;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        refusal ??= error;
        if (!isFull(error) || this.#connected === 0) break;
        this.#pool.options.max = this.#connected;
        setTimeout(() => (this.#pool.options.max = this.#max), FULL_MS).unref();
      }
    }
    throw refusal;
  }

  /** Waits for those who have a connection. */
  end(): Promise<void> {
    return this.#pool.end();
  }
}

function isFull(error: unknown): boolean {
  return error instanceof driver().DatabaseError && error.code === TOO_MANY;
}
