import type { DatabaseSync } from 'node:sqlite';
import type { Names } from './names.ts';

const HOUR = 3_600_000;

/** Counts by hour and destination that are gathered within one call, and written together at its end. */
export interface Tally {
  count(destination: string, at: number, what: string): void;
  write(): void;
}

/** Each call makes its own tally: what a call had gathered when it failed goes with it. */
export function tallies(database: DatabaseSync, names: Names): () => Tally {
  const add = database.prepare(`
    INSERT INTO counts (hour, destination, what, count) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count`);
  return () => {
    const gathered = new Map<string, { hour: number; destination: string; what: string; count: number }>();
    return {
      count(destination, at, what) {
        const hour = at - (at % HOUR);
        const key = `${hour} ${what} ${destination}`;
        const entry = gathered.get(key);
        if (entry === undefined) gathered.set(key, { hour, destination, what, count: 1 });
        else entry.count += 1;
      },
      write() {
        for (const { hour, destination, what, count } of gathered.values()) {
          add.run(hour, names.idOf(destination), what, count);
        }
      },
    };
  };
}
