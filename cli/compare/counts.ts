import type { Seen } from './archive.ts';

export const HOUR = 3_600_000;

/** How many events of a type came in an hour. */
export interface Count {
  /** When the hour began, in milliseconds since the epoch. */
  readonly hour: number;
  readonly type: string;
  readonly count: number;
}

export interface Row {
  readonly source: string;
  /** In UTC: `2026-11-20T14:00Z`. */
  readonly hour: string;
  readonly type: string;
  readonly here: number;
  readonly there: number;
}

/** From one time to before another; what it is read from may be any length. */
export async function countsOf(events: AsyncIterable<Seen>, from: number, to: number): Promise<readonly Count[]> {
  const counts = new Map<string, Count>();
  for await (const { type, at } of events) {
    if (at < from || at >= to) continue;
    const hour = Math.floor(at / HOUR) * HOUR;
    const key = `${hour} ${type}`;
    counts.set(key, { hour, type, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** A row for each hour and type that either side has seen, in their order. */
export function rowsOf(source: string, here: readonly Count[], there: readonly Count[]): readonly Row[] {
  const keyOf = ({ hour, type }: Count): string => `${new Date(hour).toISOString().slice(0, 13)}:00Z ${type}`;
  const [ours, theirs] = [Map.groupBy(here, keyOf), Map.groupBy(there, keyOf)];
  const total = (counts: readonly Count[] = []): number => counts.reduce((before, { count }) => before + count, 0);
  return [...new Set([...ours.keys(), ...theirs.keys()])].toSorted().map((key) => {
    const at = key.indexOf(' ');
    const [hour, type] = [key.slice(0, at), key.slice(at + 1)];
    return { source, hour, type, here: total(ours.get(key)), there: total(theirs.get(key)) };
  });
}

/** Whether the totals of each source and type differ by no more than so many percent. */
export function isWithin(rows: readonly Row[], percent: number): boolean {
  const totals = Map.groupBy(rows, ({ source, type }) => `${source} ${type}`);
  return [...totals.values()].every((own) => {
    const [here, there] = [sum(own, 'here'), sum(own, 'there')];
    return Math.abs(here - there) <= (there * percent) / 100;
  });
}

export function sum(rows: readonly Row[], side: 'here' | 'there'): number {
  return rows.reduce((total, row) => total + row[side], 0);
}
