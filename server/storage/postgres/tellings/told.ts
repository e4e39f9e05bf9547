import type { ErasureRequest } from '../../job-storage.ts';
import type { TellingStorage } from '../../telling-storage.ts';
import type { Database, Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { numbers } from '../deliveries/columns.ts';
import { storeInDays } from '../jobs/days.ts';
import { NAMES_AT_ONCE, namesBetween, numberOf } from '../log/columns.ts';
import { bringForward, bringForwardLater } from './bring-forward.ts';
import { cancelTellings } from './cancel-tellings.ts';
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
   RETURNING user_id AS user, sync, delivery`,
);
export const FORGET_USERS = writes(
  'forget_users',
  'DELETE FROM told WHERE computation = $1 AND destination = $2 AND user_id = ANY($3::text[])',
);
const KEEP_TRIED = writes(
  'keep_tried_told',
  `INSERT INTO told (computation, destination, user_id, value, sync, delivery, held_in)
   SELECT $1::integer, $2::integer, tried.user_id, NULL, tried.sync, tried.delivery, 0
   FROM unnest($3::text[], $4::integer[], $5::bigint[]) tried (user_id, sync, delivery)`,
);
const FORGET_TELLINGS = writes(
  'forget_tellings',
  `DELETE FROM tellings WHERE delivery = ANY(ARRAY(SELECT delivery FROM tellings WHERE computation = $1 LIMIT $2))
   RETURNING delivery`,
);
const FORGET_SYNCS = writes(
  'forget_syncs',
  `DELETE FROM syncs WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM syncs WHERE computation = $1 ORDER BY computation, number LIMIT $2)) RETURNING number`,
);

export function toldDestinations({ database, names }: TellingParts): TellingStorage['toldDestinations'] {
  return async ({ computation }) => {
    await names.add([computation]);
    const found = await destinationsOf(database, names.idOf(computation));
    await names.read(found);
    return found.map((destination) => names.nameOf(destination));
  };
}

async function destinationsOf(database: Database, computation: number): Promise<readonly number[]> {
  const rows = await database.run<{ readonly destination: number }>(DESTINATIONS, [computation]);
  return rows.map(({ destination }) => destination);
}

export function forgetTold({ database, names }: TellingParts): TellingStorage['forgetTold'] {
  return async ({ computation, keep, limit, now }) => {
    await names.add([computation, ...(keep ?? [])]);
    const id = names.idOf(computation);
    const kept = new Set(keep?.map((destination) => names.idOf(destination)));
    let left = limit;
    for (const destination of await destinationsOf(database, id)) {
      if (kept.has(destination)) continue;
      const from = [id, destination, left] as const;
      const gone = keep === undefined ? (await database.run(FORGET, from)).length : await endGone(database, from, now);
      left -= gone;
      if (left === 0) return true;
    }
    if (keep !== undefined) return false;
    left -= (await database.run(FORGET_TELLINGS, [id, left])).length;
    return left === 0 || (await database.run(FORGET_SYNCS, [id, left])).length === left;
  };
}

/** What a destination was told of a user. */
interface Gone {
  readonly user: string;
  readonly sync: number;
  readonly delivery: number;
}

/**
 * Forgets a part, and cancels what waits of it; what is just being sent is told behind it once more, whatever holds then. Answers
 * how much.
 */
async function endGone(
  database: Database,
  [computation, destination, limit]: readonly [computation: number, destination: number, limit: number],
  now: number,
): Promise<number> {
  const { gone, busy } = await storeInDays(database, () =>
    database.transaction(async (queries) => {
      const rows = await queries.run<Gone>(FORGET, [computation, destination, limit]);
      const { trying, lines } = await cancelTellings(
        queries,
        rows.map(({ delivery }) => delivery),
        now,
      );
      const tried = rows.filter(({ delivery }) => trying.has(delivery));
      const users = tried.map(({ user }) => user);
      const [syncs, deliveries] = [tried.map(({ sync }) => sync), tried.map(({ delivery }) => delivery)];
      if (tried.length > 0)
        await queries.run(KEEP_TRIED, [computation, destination, users, numbers(syncs), numbers(deliveries)]);
      return { gone: rows.length, busy: await bringForward(queries, destination, lines) };
    }),
  );
  await bringForwardLater(database, destination, busy);
  return gone;
}

/** Whoever tells something holds the row; what it tells is there once this has come. */
const COUNT_ERASURE = writes('count_erasure', 'UPDATE erasures SET count = count + 1');
/** A sync that has come to one of them begins its destination anew, in which only what is not told yet is told. */
const GO_BACK = writes(
  'take_syncs_back',
  `UPDATE syncs SET progress = (progress::jsonb - 'after')::text
   WHERE state = 'RUNNING' AND progress::jsonb ->> 'after' = ANY($1::text[])`,
);
const PASSED = "coalesce((SELECT name FROM names WHERE id = $2::integer), $1 || '/audiences/')";
/**
 * The next that a computation of the scope told anything: by their names, as others may have any number of computations; where none of so
 * many told anything, behind the last.
 */
const NEXT = reads(
  'next_told',
  `WITH own AS MATERIALIZED ${namesBetween(PASSED, "$1 || '/computed-traits0'", NAMES_AT_ONCE)}
   (SELECT computation, destination FROM told WHERE computation = $2::integer AND destination > $3::integer ORDER BY destination LIMIT 1)
   UNION ALL
   (SELECT own.id, next.destination FROM own, LATERAL (SELECT destination FROM told
     WHERE computation = own.id ORDER BY destination LIMIT 1) next ORDER BY own.name USING ~<~ LIMIT 1)
   UNION ALL
   (SELECT id, ${2 ** 31 - 1} FROM own ORDER BY name USING ~<~ LIMIT 1 OFFSET ${NAMES_AT_ONCE - 1}) LIMIT 1`,
);

/** Lets those find out who are about to tell something of these users. */
export async function countErasure(queries: Queries, userIds: readonly string[]): Promise<void> {
  await queries.run(COUNT_ERASURE);
  await queries.run(GO_BACK, [userIds.map(storable)]);
}

/** A computation and a destination of it. */
export interface ToldPlace {
  readonly computation: number;
  readonly destination: number;
}

/** Removes what one destination behind a place was told of users by a computation of the scope; undefined where there is none. */
export async function eraseNextTold(
  queries: Queries,
  { scope, userIds }: Pick<ErasureRequest, 'scope' | 'userIds'>,
  { computation, destination }: ToldPlace,
): Promise<ToldPlace | undefined> {
  const [place] = await queries.run<ToldPlace>(NEXT, [scope, computation, destination]);
  if (place !== undefined)
    await queries.run(FORGET_USERS, [place.computation, place.destination, userIds.map(storable)]);
  return place;
}
