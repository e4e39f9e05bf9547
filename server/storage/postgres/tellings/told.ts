import type { TellingStorage } from '../../telling-storage.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numberOf } from '../log/columns.ts';
import type { TellingParts } from './telling-operations.ts';

const ERASURES = reads('read_erasures', 'SELECT count FROM erasures');
const PAGE = reads(
  'read_told',
  `SELECT user_id AS user, value FROM told
   WHERE computation = ${numberOf('$1')} AND destination = ${numberOf('$2')} AND user_id > $3 ORDER BY user_id LIMIT $4`,
);

/** Erasures are read first: by what is read then, at least these are over. */
export function told({ database }: TellingParts): TellingStorage['told'] {
  return async ({ computation, destination, after = '', limit }) => {
    const [row] = await database.run<{ readonly count: number }>(ERASURES);
    const rows = await database.run<{ readonly user: string; readonly value: string | null }>(PAGE, [
      computation,
      destination,
      storable(after),
      limit,
    ]);
    return { erasures: row?.count ?? 0, told: rows.map(({ user, value }) => ({ user, value: value ?? undefined })) };
  };
}

const DESTINATIONS = reads(
  'told_destinations',
  `WITH RECURSIVE one AS (
     (SELECT destination FROM told WHERE computation = $1 ORDER BY destination LIMIT 1)
     UNION ALL
     SELECT next.destination FROM one, LATERAL (SELECT destination FROM told
       WHERE computation = $1 AND destination > one.destination ORDER BY destination LIMIT 1) next
   ) SELECT destination FROM one`,
);
const FORGET = writes(
  'forget_told',
  `DELETE FROM told WHERE ctid = ANY(ARRAY(SELECT ctid FROM told WHERE computation = $1 AND destination = $2 LIMIT $3))
   RETURNING destination`,
);
const FORGET_TELLINGS = writes(
  'forget_tellings',
  `DELETE FROM tellings WHERE delivery = ANY(ARRAY(SELECT delivery FROM tellings WHERE computation = $1 LIMIT $2))
   RETURNING delivery`,
);
const FORGET_SYNCS = writes('forget_syncs', 'DELETE FROM syncs WHERE computation = $1');

export function forgetTold({ database, names }: TellingParts): TellingStorage['forgetTold'] {
  return async ({ computation, keep, limit }) => {
    await names.add([computation, ...(keep ?? [])]);
    const id = names.idOf(computation);
    const kept = new Set(keep?.map((destination) => names.idOf(destination)));
    const found = await database.run<{ readonly destination: number }>(DESTINATIONS, [id]);
    let left = limit;
    for (const { destination } of found) {
      if (!kept.has(destination)) left -= (await database.run(FORGET, [id, destination, left])).length;
      if (left === 0) return true;
    }
    if (keep !== undefined) return false;
    if ((await database.run(FORGET_TELLINGS, [id, left])).length === left) return true;
    await database.run(FORGET_SYNCS, [id]);
    return false;
  };
}

/** Whoever tells something holds the row; what it tells is there once this has come. */
const COUNT_ERASURE = writes('count_erasure', 'UPDATE erasures SET count = count + 1');
/** A sync that has come to one of them begins its destination anew, in which only what is not told yet is told. */
const GO_BACK = writes(
  'take_syncs_back',
  `UPDATE syncs SET progress = (progress::jsonb - 'after')::text
   WHERE state = 'RUNNING' AND progress::jsonb ->> 'after' = ANY($1::text[])`,
);
/** From one destination of a computation to the next, by the index. */
const ERASE = writes(
  'erase_told',
  `WITH RECURSIVE one AS (
     (SELECT computation, destination FROM told ORDER BY computation, destination LIMIT 1)
     UNION ALL
     SELECT next.* FROM one, LATERAL (SELECT computation, destination FROM told
       WHERE (computation, destination) > (one.computation, one.destination) ORDER BY computation, destination LIMIT 1) next
   ), theirs AS MATERIALIZED (
     SELECT one.* FROM one WHERE (SELECT starts_with(n.name, $1) FROM names n WHERE n.id = one.computation)
   ), found AS MATERIALIZED (
     SELECT told.tid FROM theirs, unnest($2::text[]) erased (user_id), LATERAL (SELECT ctid AS tid FROM told t
       WHERE t.computation = theirs.computation AND t.destination = theirs.destination AND t.user_id = erased.user_id
       OFFSET 0) told
   ) DELETE FROM told t USING found f WHERE t.ctid = f.tid`,
);

/** What was told of users by the computations of a scope. Lets those find out who are about to tell something of them. */
export async function eraseTold(queries: Queries, scope: string, userIds: readonly string[]): Promise<void> {
  const users = userIds.map(storable);
  await queries.run(COUNT_ERASURE);
  await queries.run(GO_BACK, [users]);
  await queries.run(ERASE, [`${scope}/`, users]);
}
