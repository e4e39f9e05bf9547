/** Whoever has not said for so long that it is there is gone. */
export const GONE_MS = 180_000;

/** `<tab>` is the mark of a tab, `<tab>:<n>` a message. */
const NAME = /^([\da-f-]{36})(?::(\d+))?$/;

/** A message that a tab kept, and at what time and place. */
export interface Entry {
  readonly name: string;
  readonly value: string;
  readonly tab: string;
  readonly at: number;
  readonly order: number;
}

export interface Left {
  /** What tabs left that are gone, oldest first. */
  readonly entries: readonly Entry[];
  /** The marks of such tabs. */
  readonly marks: readonly string[];
  /** When the next of those that keep something counts as gone, if it says no more; infinite without any. */
  readonly waitMs: number;
}

/** Whether the name is that of a mark or a message. Of a write key that begins like another, and a colon, the names are longer. */
export function isKept([name]: readonly [name: string, value: string]): boolean {
  return NAME.test(name);
}

/**
 * What of the items others may take. Values begin with a time: that is all of a mark, and a message follows it. A clock may
 * have been set: a mark of the future says as little as an old one.
 */
export function leftEntries(
  items: readonly (readonly [name: string, value: string])[],
  own: ReadonlySet<string>,
  now: number,
): Left {
  const times = new Map(items.filter(([, value]) => /^\d+$/.test(value)));
  const entries: Entry[] = [];
  const marks: string[] = [];
  let waitMs = Infinity;
  for (const [name, value] of items) {
    const [, tab, order] = NAME.exec(name) ?? [];
    if (tab === undefined || own.has(tab)) continue;
    const age = now - Number(times.get(tab));
    const isThere = Math.abs(age) < GONE_MS;
    if (isThere && order !== undefined) waitMs = Math.min(waitMs, GONE_MS - age);
    if (isThere) continue;
    if (order === undefined) marks.push(name);
    else entries.push({ name, value, tab, at: Number.parseInt(value, 10), order: Number(order) });
  }
  // oxlint-disable-next-line unicorn/no-array-sort -- browsers of before 2023 have no `toSorted`
  return { entries: entries.sort((a, b) => a.at - b.at || a.order - b.order), marks, waitMs };
}
