import type pg from 'pg';
import { StoreUnavailable } from '../../config-store.ts';

/** What the server calls one of the tables, and no other that ever stands in its place; null where there is none. */
export const TABLES = "to_regclass('commits')::oid::bigint";

/**
 * Eight digits of the name of the file that it writes to, and the first transaction that is yet to begin. Not every service that
 * speaks PostgreSQL has the former.
 */
const LOOK = `SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline,
  pg_snapshot_xmax(pg_current_snapshot())::text AS next, ${TABLES}::text AS tables`;

/** How far a server is, and with which tables. */
export interface Reached {
  /** The first transaction that is yet to begin. */
  readonly next: bigint;
  readonly tables: string | null;
}

/** Where a server is in the history of its database. */
interface Position extends Reached {
  readonly timeline: number;
}

/**
 * A promotion begins a new timeline. Whoever has seen one never again works with a server of an earlier: that is a primary
 * of before, which has come back, or was never told that another took over; what it is given is lost. A server that has yet to begin
 * what this router has seen was put back to an earlier moment, as a snapshot of its disk is when it is restored; and so were tables
 * that are others, as those of a restored dump.
 */
export class Timeline {
  readonly #seen = new WeakMap<pg.ClientBase, number>();
  #latest: Position = { timeline: 0, next: 0n, tables: null };
  #count = 0;

  /** Looks at a server that takes writes. Rejects where another was promoted since. */
  async look(client: pg.ClientBase): Promise<void> {
    const [known, count] = [this.#latest.next, this.#count];
    const position = await positionOf(client);
    if (position === undefined) return;
    const { timeline } = position;
    if (timeline < this.#latest.timeline)
      throw new StoreUnavailable('the server is a primary of before: another server has been promoted since');
    // Of looks that were under way at once, one tells of it.
    const isBack = count === this.#count && position.next < known;
    if (isBack || timeline > this.#latest.timeline) [this.#count, this.#latest] = [this.#count + 1, position];
    else this.reached(position, count);
    this.#seen.set(client, this.#count);
  }

  /** How often what is stored may have become that of an earlier moment; 0 where no server tells. */
  get latest(): number {
    return this.#count;
  }

  /** As it was seen while `latest` was `count`. */
  reached({ next, tables }: Reached, count: number): void {
    if (count !== this.#count) return;
    const { tables: known } = this.#latest;
    if (tables !== null && known !== null && tables !== known) this.#count += 1;
    this.#latest = {
      ...this.#latest,
      tables: tables ?? known,
      next: next > this.#latest.next ? next : this.#latest.next,
    };
  }

  /** Whether another server has been promoted since this connection was made. */
  isOver(client: pg.ClientBase): boolean {
    return (this.#seen.get(client) ?? Infinity) < this.#count;
  }
}

async function positionOf(client: pg.ClientBase): Promise<Position | undefined> {
  try {
    const { rows } = await client.query<Omit<Position, 'next'> & { readonly next: string }>(LOOK);
    return rows[0] && { ...rows[0], next: BigInt(rows[0].next) };
  } catch (error) {
    // Where it cannot be asked for, nothing is compared.
    if (isRefused(error)) return undefined;
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}
