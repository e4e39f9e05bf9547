import { compareUsers } from '../../../audiences/user-order.ts';
import { MOST_NAMES } from '../../profiles/sqlite/traits.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';

/** One trait of an event, by the numbers of its name and of who said it. */
export interface TraitAddition {
  readonly name: number;
  readonly holder: number;
  /** Of an anonymous id; 0 of a user. */
  readonly hour: number;
  readonly at: number;
  readonly json: string;
}

const NAMES = reads(
  'trait_names_of',
  `SELECT one AS holder, ARRAY(SELECT DISTINCT name FROM traits t WHERE t.holder = one) AS names
   FROM unnest($1::bigint[]) one`,
);
const WRITE = writes(
  'write_traits',
  `INSERT INTO traits (name, holder, hour, at, value)
   SELECT * FROM unnest($1::integer[], $2::bigint[], $3::integer[], $4::bigint[], $5::text[])
   ON CONFLICT (name, holder, hour)
   DO UPDATE SET at = excluded.at, value = excluded.value
   WHERE (excluded.at, excluded.value) > (traits.at, traits.value)`,
);

/** Keeps traits of ids unless a later event said another; not the 201st of one id. */
export async function writeTraits(queries: Queries, additions: readonly TraitAddition[]): Promise<void> {
  if (additions.length === 0) return;
  const kept = (await withinLimit(queries, additions)).toSorted(
    (a, b) => a.name - b.name || a.holder - b.holder || a.hour - b.hour,
  );
  await queries.run(WRITE, [
    numbers(kept.map(({ name }) => name)),
    numbers(kept.map(({ holder }) => holder)),
    numbers(kept.map(({ hour }) => hour)),
    numbers(kept.map(({ at }) => at)),
    kept.map(({ json }) => json),
  ]);
}

/** The latest of each, in the order in which their names came. */
async function withinLimit(queries: Queries, additions: readonly TraitAddition[]): Promise<readonly TraitAddition[]> {
  const holders = [...new Set(additions.map(({ holder }) => holder))];
  const rows = await queries.run<{ readonly holder: number; readonly names: readonly number[] }>(NAMES, [
    numbers(holders),
  ]);
  const namesOf = new Map(rows.map(({ holder, names }) => [holder, new Set(names)]));
  const latest = new Map<string, TraitAddition>();
  for (const addition of additions) {
    const names = namesOf.get(addition.holder) ?? new Set<number>();
    if (!names.has(addition.name) && names.size >= MOST_NAMES) continue;
    names.add(addition.name);
    const key = `${addition.name} ${addition.holder} ${addition.hour}`;
    const known = latest.get(key);
    if (known === undefined || isLater(addition, known)) latest.set(key, addition);
  }
  return [...latest.values()];
}

function isLater(one: TraitAddition, other: TraitAddition): boolean {
  return one.at > other.at || (one.at === other.at && compareUsers(one.json, other.json) > 0);
}
