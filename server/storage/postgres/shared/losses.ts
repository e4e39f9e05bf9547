import { KEPT_DAYS, KEPT_DETAILS, KEPT_ITEMS, type LossCount, type LossItem, type LossStorage } from '../../losses.ts';
import { type ErasedUsers, namesOneOf } from '../../../losses/erase-items.ts';
import { confirmed } from '../connection/confirmed.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { eachPart, inPart } from '../parts.ts';
import { storable } from '../../../model/json-values.ts';

const DAY_MS = 86_400_000;
const TODAY = `(now_ms() / ${DAY_MS})::integer`;

/** Sorted, so that two routers lock rows that both count in the same order. */
const ADD_COUNTS = writes(
  'add_loss_counts',
  `WITH given AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
       AS g (owner, list, what, detail, count, first_at, last_at)),
   filled AS (
     SELECT owner, list FROM (SELECT DISTINCT owner, list FROM given) g
     WHERE (SELECT count(*) FROM (
         SELECT FROM loss_counts c WHERE c.owner = g.owner AND c.list = g.list AND c.day = ${TODAY} LIMIT $8) known) >= $8),
   counted AS (
     SELECT owner, list, what, count, first_at, last_at,
       CASE WHEN NOT EXISTS (SELECT FROM filled f WHERE f.owner = g.owner AND f.list = g.list)
           OR EXISTS (SELECT FROM loss_counts c WHERE c.owner = g.owner AND c.list = g.list AND c.day = ${TODAY}
             AND c.what = g.what AND c.detail = g.detail)
         THEN detail ELSE '' END AS detail
     FROM given g)
   INSERT INTO loss_counts AS c (owner, list, day, what, detail, count, first_at, last_at)
   SELECT owner, list, ${TODAY}, what, detail, sum(count), min(first_at), max(last_at) FROM counted
   GROUP BY owner, list, what, detail ORDER BY owner, list, what, detail
   ON CONFLICT (owner, list, day, what, detail) DO UPDATE SET count = c.count + excluded.count,
     first_at = least(c.first_at, excluded.first_at), last_at = greatest(c.last_at, excluded.last_at)`,
);

const ADD_ITEMS = writes(
  'add_loss_items',
  `INSERT INTO loss_items (owner, list, at, item)
   SELECT owner, list, now_ms(), item
   FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS g (owner, list, item, place) ORDER BY place`,
);

const CUT_ITEMS = writes(
  'cut_loss_items',
  `DELETE FROM loss_items WHERE id = ANY (ARRAY(
     SELECT old.id FROM (SELECT DISTINCT owner, list FROM unnest($1::text[], $2::text[]) AS g (owner, list)) touched
     CROSS JOIN LATERAL (SELECT i.id FROM loss_items i WHERE i.owner = touched.owner AND i.list = touched.list
       ORDER BY i.id DESC OFFSET $3) old
     ORDER BY old.id))`,
);

const READ_COUNTS = reads(
  'read_loss_counts',
  `SELECT owner, list, what, detail, sum(count) AS count, min(first_at) AS "firstAt", max(last_at) AS "lastAt"
   FROM loss_counts WHERE owner = ANY ($1) AND list = ANY ($2) AND day > ${TODAY} - ${KEPT_DAYS}
   GROUP BY owner, list, what, detail ORDER BY min(first_at), what, detail`,
);

const READ_ITEMS = reads(
  'read_loss_items',
  `SELECT i.owner, i.list, i.item FROM unnest($1::text[]) AS o (owner) CROSS JOIN unnest($2::text[]) AS l (list)
   CROSS JOIN LATERAL (SELECT * FROM loss_items i WHERE i.owner = o.owner AND i.list = l.list
     ORDER BY i.id DESC LIMIT $3) i
   ORDER BY i.id DESC`,
);

/** In the order of the indexes. */
const BEHIND = `owner ~>~ $2 AND owner ~>=~ $1 AND owner ~<~ ($1 || '0') AND (owner = $1 OR starts_with(owner, $1 || '/'))`;
/** The next of a scope of which anything is kept. */
const NEXT_OWNER = reads(
  'next_loss_owner',
  `SELECT owner FROM (${['loss_items', 'loss_counts']
    .map((table) => `(SELECT owner FROM ${table} WHERE ${BEHIND} ORDER BY owner USING ~<~ LIMIT 1)`)
    .join(' UNION ALL ')}) next ORDER BY owner USING ~<~ LIMIT 1`,
);

const CANDIDATES = reads(
  'erasure_loss_items',
  `SELECT i.id, i.item FROM loss_items i
   WHERE i.owner = $1 AND EXISTS (SELECT FROM unnest($2::text[]) AS g (id) WHERE strpos(i.item, g.id) > 0)`,
);

const ERASE_ITEMS = writes('erase_loss_items', 'DELETE FROM loss_items WHERE id = ANY ($1::bigint[])');

/** Details are what senders chose: of keys that nobody knows, which are of no source, they stay. */
const NAMED_COUNTS = reads(
  'erasure_loss_counts',
  `SELECT c.owner, c.list, c.day, c.what, c.detail FROM loss_counts c
   WHERE c.owner = $1 AND c.day = $3 AND EXISTS (SELECT FROM unnest($2::text[]) AS g (id) WHERE strpos(c.detail, g.id) > 0)`,
);
const DAYS = reads('loss_days', 'SELECT DISTINCT day FROM loss_counts WHERE owner = $1');

const UNNAME_COUNTS = writes(
  'unname_loss_counts',
  `WITH gone AS (
     DELETE FROM loss_counts c
     USING unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[]) AS g (owner, list, day, what, detail)
     WHERE c.owner = g.owner AND c.list = g.list AND c.day = g.day AND c.what = g.what AND c.detail = g.detail
     RETURNING c.*)
   INSERT INTO loss_counts AS c (owner, list, day, what, detail, count, first_at, last_at)
   SELECT owner, list, day, what, '', sum(count), min(first_at), max(last_at) FROM gone
   GROUP BY owner, list, day, what ORDER BY owner, list, day, what
   ON CONFLICT (owner, list, day, what, detail) DO UPDATE SET count = c.count + excluded.count,
     first_at = least(c.first_at, excluded.first_at), last_at = greatest(c.last_at, excluded.last_at)`,
);

const READ_SINCE = reads(
  'read_loss_since',
  `SELECT greatest(at, (${TODAY} - ${KEPT_DAYS - 1})::bigint * ${DAY_MS}) AS since FROM loss_began`,
);

const TIDY_COUNTS = writes(
  'tidy_loss_counts',
  `DELETE FROM loss_counts WHERE ${inPart(1)} AND day <= ${TODAY} - ${KEPT_DAYS}`,
);
/** So many items go in one statement. */
const BATCH = 1_000;
const TIDY_ITEMS = writes(
  'tidy_loss_items',
  `DELETE FROM loss_items WHERE id = ANY (ARRAY(
     SELECT id FROM loss_items WHERE at < now_ms() - ${KEPT_DAYS * DAY_MS} ORDER BY at LIMIT ${BATCH})) RETURNING id`,
);

/** Deletes what is over. */
export async function tidyLosses(queries: Queries): Promise<void> {
  await eachPart(queries, 'loss_counts', (bounds) => queries.run(TIDY_COUNTS, bounds));
  while ((await queries.run(TIDY_ITEMS)).length === BATCH);
}

export function lossStorage(database: Database): LossStorage {
  return {
    addLosses: ({ counts, items }) =>
      database.transaction(async (queries) => {
        await queries.run(ADD_COUNTS, [...countColumns(counts), KEPT_DETAILS]);
        if (items.length === 0) return;
        const [owners, lists] = [items.map(({ owner }) => owner), items.map(({ list }) => list)];
        await queries.run(ADD_ITEMS, [owners, lists, items.map(({ item }) => item)]);
        await queries.run(CUT_ITEMS, [owners, lists, KEPT_ITEMS]);
      }),
    eraseItems: async (users) => {
      // Thousands of ids are looked for in what is kept of one source at a time: of all it would take longer than a statement may.
      for (let owner: string | undefined = ''; owner !== undefined;) {
        const last: string = owner;
        owner = await confirmed(database, (queries) => eraseNext(queries, users, last));
      }
    },
    async losses({ owners, lists }) {
      const [counts, items, [began]] = await Promise.all([
        database.run<LossCount>(READ_COUNTS, [owners, lists]),
        database.run<LossItem>(READ_ITEMS, [owners, lists, KEPT_ITEMS]),
        database.run<{ readonly since: number }>(READ_SINCE),
      ]);
      return { since: began?.since ?? 0, counts, items };
    },
  };
}

/** Of the next owner behind this one, and answers which that was. */
async function eraseNext(
  queries: Queries,
  { scope, userIds }: ErasedUsers,
  after: string,
): Promise<string | undefined> {
  const [next] = await queries.run<{ readonly owner: string }>(NEXT_OWNER, [scope, after]);
  if (next === undefined) return undefined;
  const isTheirs = namesOneOf(userIds);
  await eraseItems(queries, next.owner, { userIds, isTheirs });
  await unnameCounts(queries, next.owner, { userIds, isTheirs });
  return next.owner;
}

interface Erased extends Pick<ErasedUsers, 'userIds'> {
  readonly isTheirs: (item: object) => boolean;
}

async function eraseItems(queries: Queries, owner: string, { userIds, isTheirs }: Erased): Promise<void> {
  const spelled = userIds.map((id) => JSON.stringify(id).slice(1, -1));
  const found = await queries.run<{ readonly id: number; readonly item: string }>(CANDIDATES, [owner, spelled]);
  // It was written by this storage as JSON of an object.
  const theirs = found.filter(({ item }) => isTheirs(JSON.parse(item)));
  if (theirs.length > 0) await queries.run(ERASE_ITEMS, [theirs.map(({ id }) => id)]);
}

async function unnameCounts(queries: Queries, owner: string, { userIds, isTheirs }: Erased): Promise<void> {
  for (const { day } of await queries.run<Pick<NamedCount, 'day'>>(DAYS, [owner])) {
    const named = await queries.run<NamedCount>(NAMED_COUNTS, [owner, userIds.map(storable), day]);
    const counts = named.filter(({ detail }) => isTheirs({ detail }));
    if (counts.length > 0) await queries.run(UNNAME_COUNTS, keyColumns(counts));
  }
}

interface NamedCount extends Pick<LossCount, 'owner' | 'list' | 'what' | 'detail'> {
  readonly day: number;
}

function keyColumns(counts: readonly NamedCount[]): unknown[] {
  return (['owner', 'list', 'day', 'what', 'detail'] as const).map((key) => counts.map((one) => one[key]));
}

function countColumns(counts: readonly LossCount[]): unknown[] {
  const column = <Key extends keyof LossCount>(key: Key): LossCount[Key][] => counts.map((one) => one[key]);
  return [
    column('owner'),
    column('list'),
    column('what'),
    column('detail'),
    column('count'),
    column('firstAt'),
    column('lastAt'),
  ];
}
