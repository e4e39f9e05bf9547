import { StorageUnusable } from '../errors.ts';
import type { MovedTable } from './moved-table.ts';
import { MOVED } from './moved-tables.ts';
import { type MoveSource, type MoveTarget, keyOfRow, type Progress, totalOf } from './moving.ts';

/** What was compared at the end: the same number of each on both sides. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** So many rows are moved in one transaction of the target. */
const PAGE = 500;

/** Moves everything, or what was not moved yet by a move of the same source that was interrupted. */
export async function moveStorage(source: MoveSource, target: MoveTarget, page = PAGE): Promise<Moved> {
  let progress = await target.begin(source);
  for (const table of MOVED) progress = await moveTable(table, { source, target, page }, progress);
  const resources = await source.resources();
  const counts = await compared(source, target);
  await target.finish(resources);
  return { from: source.shown, to: target.shown, counts: { resources: totalOf(resources), ...counts } };
}

interface Move {
  readonly source: MoveSource;
  readonly target: MoveTarget;
  readonly page: number;
}

async function moveTable(table: MovedTable, { source, target, page }: Move, begun: Progress): Promise<Progress> {
  let progress = begun;
  for (;;) {
    const rows = await source.read(table, progress[table.name], page);
    const last = rows.at(-1);
    if (last === undefined) return progress;
    progress = { ...progress, [table.name]: keyOfRow(table, last) };
    await target.write(table, rows, progress);
  }
}

/** Nobody uses the target before this has passed. */
async function compared(source: MoveSource, target: MoveTarget): Promise<Readonly<Record<string, number>>> {
  const [there, here] = [await source.counts(), await target.counts()];
  const apart = Object.entries(there).filter(([name, count]) => here[name] !== count);
  if (apart.length === 0) return there;
  const words = apart.map(([name, count]) => `${name}: ${count} in the source, ${here[name] ?? 0} in the target`);
  throw new StorageUnusable(
    `not everything was moved to ${target.shown} (${words.join('; ')}); the source is as it was`,
  );
}
