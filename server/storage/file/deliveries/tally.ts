import type { DatabaseSync } from 'node:sqlite';
import type { Operations } from '../../verbs.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';

const HOUR = 3_600_000;

/** Takes an hour, the number of a name, what is counted, and how many more it is. */
export const ADD_COUNT = `
  INSERT INTO counts (hour, destination, what, count) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;

/** Counts by hour and destination that are gathered within one call, and written together at its end. */
export interface Tally {
  count(destination: string, at: number, what: string): void;
  write(): void;
}

interface Bucket {
  readonly hour: number;
  readonly destination: string;
  readonly counts: Map<string, number>;
}

/** Each call makes its own tally: what a call had gathered when it failed goes with it. */
export function tallies(database: DatabaseSync, names: Names): () => Tally {
  const add = database.prepare(ADD_COUNT);
  return () => {
    const buckets = new Map<string, Bucket>();
    // Rounds of one destination come together, so the bucket of the last is mostly that of the next.
    let last: Bucket | undefined;
    const bucketOf = (destination: string, hour: number): Bucket => {
      if (last?.destination === destination && last.hour === hour) return last;
      const key = `${hour} ${destination}`;
      last = buckets.get(key) ?? { hour, destination, counts: new Map() };
      buckets.set(key, last);
      return last;
    };
    return {
      count(destination, at, what) {
        const { counts } = bucketOf(destination, at - (at % HOUR));
        counts.set(what, (counts.get(what) ?? 0) + 1);
      },
      write() {
        for (const { hour, destination, counts } of buckets.values()) {
          for (const [what, count] of counts) add.run(hour, names.idOf(destination), what, count);
        }
      },
    };
  };
}

/** They stand among those of deliveries. */
export function addCounts(database: DatabaseSync, names: Names): Operations['addCounts'] {
  const add = query<{ readonly count: number }>(database, `${ADD_COUNT} RETURNING count`);
  return (additions) =>
    additions.map(({ of, hour, what, count }) => add.get(hour, names.idOf(of), what, count)?.count ?? count);
}
