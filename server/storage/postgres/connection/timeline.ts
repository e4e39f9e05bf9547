import type pg from 'pg';
import { StoreUnavailable } from '../../config-store.ts';

/** Eight digits of the name of the file that it writes to. Not every service that speaks PostgreSQL has it. */
const TIMELINE = "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline";

/**
 * A promotion begins a new timeline. Whoever has seen one never again works with a server of an earlier: that is a primary
 * of before, which has come back, or was never told that another took over; what it is given is lost.
 */
export class Timeline {
  readonly #seen = new WeakMap<pg.ClientBase, number>();
  #latest = 0;

  /** Looks at a server that takes writes. Rejects where another was promoted since. */
  async look(client: pg.ClientBase): Promise<void> {
    const timeline = await timelineOf(client);
    if (timeline === undefined) return;
    this.#seen.set(client, timeline);
    if (this.isOver(client))
      throw new StoreUnavailable('the server is a primary of before: another server has been promoted since');
    this.#latest = timeline;
  }

  /** Of the server that was promoted last; 0 where none tells it. */
  get latest(): number {
    return this.#latest;
  }

  /** Whether another server has been promoted since this connection was made. */
  isOver(client: pg.ClientBase): boolean {
    return (this.#seen.get(client) ?? Infinity) < this.#latest;
  }
}

async function timelineOf(client: pg.ClientBase): Promise<number | undefined> {
  try {
    const { rows } = await client.query<{ readonly timeline: number }>(TIMELINE);
    return rows[0]?.timeline;
  } catch (error) {
    // Where it cannot be asked for, nothing is compared.
    if (isRefused(error)) return undefined;
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}
