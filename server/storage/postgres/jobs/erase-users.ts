import { StoreUnavailable } from '../../config-store.ts';
import type { Erased, ErasureRequest, JobStorage } from '../../job-storage.ts';
import { type Event, usersOf } from '../../../model/message.ts';
import { isWithin } from '../../../model/resource-names.ts';
import { confirmed } from '../connection/confirmed.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { TABLES, whoseIdsAre } from '../log/columns.ts';
import type { JobParts } from './job-operations.ts';
import { type Gone, removeRest } from './remove.ts';
import { countErasure, eraseNextTold } from '../tellings/told.ts';
import { waitForAccepts } from './wait-for-accepts.ts';

/** In whichever table they are: in one statement, so that none is missed that moves. */
const PAGE = reads(
  'erasure_page',
  `SELECT d.id, d.message, m.event, (SELECT name FROM names WHERE id = m.source) AS source
   FROM (${TABLES.map(
     (table) => `(SELECT id, message, type, user_id FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2)`,
   ).join(' UNION ALL ')} ORDER BY id LIMIT $2) d
   LEFT JOIN messages m ON m.id = d.message AND d.type <> 'delete' AND (d.type = 'alias' OR d.user_id = ANY($3::text[]))
   ORDER BY d.id`,
);
const REMOVE = TABLES.map((table) =>
  writes(`erase_${table}`, `DELETE FROM ${table} t ${whoseIdsAre('$1')} RETURNING t.id`),
);
const LEFT = reads(
  'erasure_left',
  TABLES.map((table) => `SELECT t.id FROM unnest($1::bigint[]) one (id) JOIN ${table} t ON t.id = one.id`).join(
    ' UNION ALL ',
  ),
);

/** So many replays are looked at by one statement, and names without one: a workspace may have had any number of destinations. */
const REPLAYS_AT_ONCE = 1_000;
/**
 * Bulk replays of one user, which name it: of those that run nothing is left to be sent again. By the names of a scope, as others may have
 * any number of replays. Answers how far it came where there may be more.
 */
const REMOVE_REPLAYS = writes(
  'erase_replays',
  `WITH own AS MATERIALIZED (
     SELECT n.name, j.id, j.filter FROM names n LEFT JOIN LATERAL (SELECT id, filter FROM replay_jobs r
       WHERE (r.destination, r.id) > (n.id, CASE n.name WHEN $3 THEN $4::integer ELSE 0 END) AND r.destination <= n.id
       ORDER BY r.destination, r.id LIMIT ${REPLAYS_AT_ONCE}) j ON true
     WHERE n.name ~>=~ $3 AND n.name ~<~ ($1 || '0') ORDER BY n.name USING ~<~, j.id LIMIT ${REPLAYS_AT_ONCE}),
   gone AS (DELETE FROM replay_jobs WHERE id = ANY(ARRAY(
     SELECT id FROM own WHERE (readable(filter)::json ->> 'userId' IN (SELECT unnest($2::text[]))) IS TRUE)))
   SELECT name, coalesce(id, ${2 ** 31 - 1}) AS id FROM own ORDER BY name USING ~<~, id LIMIT 1 OFFSET ${REPLAYS_AT_ONCE - 1}`,
);

/** How often a delivery may move while it is being removed. */
const MAX_MOVES = 10;

interface Candidate extends Gone {
  /** Null when it is not of these users by what is stored beside it. */
  readonly event: string | null;
  readonly source: string | null;
}

/** A replay, or a destination that has none behind it. */
interface ReplayPlace {
  readonly name: string;
  readonly id: number;
}

/** Where an erasure goes on as long as it is not with the deliveries. */
const TOLD = /^told (\d+) (\d+)$/;

/**
 * What was told first, of one computation to one destination in each step. Then from the oldest delivery to the newest, by their ids,
 * which no move changes. What was accepted before may be committed after it, behind a place that was passed: so the walk begins once
 * all accepts of that time have ended.
 */
export function eraseUsers({ database }: JobParts): JobStorage['eraseUsers'] {
  return async (request): Promise<Erased> => {
    if (request.after === undefined) {
      await eraseReplays(database, request);
      // At last, as whoever tells something waits from here on.
      await confirmed(database, (queries) => countErasure(queries, request.userIds));
    }
    const isTold = request.after === undefined || TOLD.test(request.after);
    const told = isTold ? await confirmed(database, (queries) => eraseTold(queries, request)) : undefined;
    if (told !== undefined) return { deliveries: 0, next: told };
    const place = await waitForAccepts(database, isTold ? undefined : request.after);
    if (place.isWaiting) return { deliveries: 0, next: place.next };
    const rows = await confirmed(database, (queries) => page(queries, request, place.from, request.limit));
    const theirs = rows.deliveries.filter((row) => isOf(row, request));
    if (theirs.length > 0) await database.transaction((queries) => remove(queries, theirs));
    return { deliveries: theirs.length, next: rows.next };
  };
}

/** Once more from the first where it was cut off: it does no harm. */
async function eraseReplays(database: Queries, { scope, userIds }: ErasureRequest): Promise<void> {
  const ids = userIds.map(storable);
  let place: ReplayPlace | undefined = { name: `${scope}/`, id: 0 };
  while (place !== undefined)
    [place] = await database.run<ReplayPlace>(REMOVE_REPLAYS, [scope, ids, place.name, place.id]);
}

async function eraseTold(queries: Queries, request: ErasureRequest): Promise<string | undefined> {
  const [, computation, destination] = TOLD.exec(request.after ?? '') ?? [];
  const from = { computation: Number(computation ?? 0), destination: Number(destination ?? 0) };
  const place = await eraseNextTold(queries, request, from);
  return place && `told ${place.computation} ${place.destination}`;
}

/** Whole messages, so that a message goes with all of its deliveries; one that has more of them than a page has is a page. */
async function page(
  queries: Queries,
  request: ErasureRequest,
  from: number,
  limit: number,
): Promise<{ readonly deliveries: readonly Candidate[]; readonly next: string | undefined }> {
  const userIds = request.userIds.map(storable);
  const rows = await queries.run<Candidate>(PAGE, [from, limit, userIds]);
  if (rows.length < limit) return { deliveries: rows, next: undefined };
  const last = rows.at(-1)?.message;
  const whole = rows.filter(({ message }) => message !== last);
  if (whole.length === 0) return page(queries, request, from, limit * 2);
  return { deliveries: whole, next: String(whole.at(-1)?.id) };
}

function isOf({ event, source }: Candidate, { scope, userIds }: ErasureRequest): boolean {
  if (event === null || source === null || !isWithin(source, scope)) return false;
  // It was written by this store as JSON of this type.
  const stored: Event = JSON.parse(event);
  return usersOf(stored).some((id) => userIds.includes(id));
}

/** What moves meanwhile is found again in the table that it has come to; what is removed first does not arrive there. */
async function remove(queries: Queries, theirs: readonly Gone[]): Promise<void> {
  let left = theirs.map(({ id }) => id);
  for (let move = 0; left.length > 0; move += 1) {
    if (move > MAX_MOVES) throw new StoreUnavailable(`${left.length} deliveries could not be erased: they keep moving`);
    for (const statement of REMOVE) await queries.run(statement, [left]);
    left = (await queries.run<{ readonly id: number }>(LEFT, [left])).map(({ id }) => id);
  }
  await removeRest(queries, theirs);
}
