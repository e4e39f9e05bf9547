/** How many events of each type came in each hour, by `hour type`. */
export type Counts = ReadonlyMap<string, number>;

/** An event, as far as it is compared. */
export interface Seen {
  readonly type: string;
  /** When it was received. */
  readonly time: string;
}

export interface Row {
  /** In UTC: `2026-11-20T14:00Z`. */
  readonly hour: string;
  readonly type: string;
  readonly here: number;
  readonly there: number;
}

/** Between two times; what has no valid time is not counted. */
export async function countsOf(events: AsyncIterable<Seen>, from: number, to: number): Promise<Counts> {
  const counts = new Map<string, number>();
  for await (const { type, time } of events) {
    const at = Date.parse(time);
    if (!(at >= from && at < to)) continue;
    const key = `${new Date(at).toISOString().slice(0, 13)}:00Z ${type}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A row for each hour and type that either side has seen, in their order. */
export function rowsOf(here: Counts, there: Counts): readonly Row[] {
  const keys = [...new Set([...here.keys(), ...there.keys()])].toSorted();
  return keys.map((key) => {
    const [hour = '', type = ''] = key.split(' ');
    return { hour, type, here: here.get(key) ?? 0, there: there.get(key) ?? 0 };
  });
}

/** Whether the totals of each type differ by no more than so many percent. */
export function isWithin(rows: readonly Row[], percent: number): boolean {
  return [...Map.groupBy(rows, ({ type }) => type).values()].every((own) => {
    const [here, there] = [sum(own, 'here'), sum(own, 'there')];
    return Math.abs(here - there) <= (there * percent) / 100;
  });
}

export function sum(rows: readonly Row[], side: 'here' | 'there'): number {
  return rows.reduce((total, row) => total + row[side], 0);
}
