import {
  type Claimed,
  type Claiming,
  type ClaimRequest,
  type DeliveryStorage,
  PROBE_AMONG,
} from '../../delivery-storage.ts';
import type { Queries } from '../connection/database.ts';
import { type Statement, writes } from '../connection/statement.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';
import { LIFE } from './columns.ts';
import { DueLooks, type Found } from './due-looks.ts';
import type { Heads } from './heads.ts';
import type { OwnLife } from './life.ts';
import { CLAIMS, claimOf, IS_BEHIND, left, type RowBeside, takenIn, takingOf } from './taken.ts';

export interface ClaimParts {
  readonly database: Queries;
  readonly names: Names;
  readonly life: OwnLife;
  readonly time: DatabaseTime;
  readonly heads: Heads;
}

const NOTHING: Claimed = { claims: [], nextDueAt: undefined, oldestReceivedAt: undefined };

/** So many of the oldest are looked at: however many of them are behind others … */
const MAX_EXAMINED = 1_000;
/** … the first of so many lines are found, from any of them on. */
const MAX_LINES = 100;

/** The next line in which something waits, and behind the last the first. */
function lineBehind(line: string): string {
  return `coalesce(${leastLine(`AND line > ${line}`)}, ${leastLine()})`;
}
function leastLine(condition = ''): string {
  return `(SELECT line FROM queue
    WHERE destination = $3::integer AND line IS NOT NULL ${condition} ORDER BY destination, line LIMIT 1)`;
}
const SOME_LINES = `some_lines (line) AS (
       SELECT ${lineBehind('start.line')} FROM (SELECT floor(random() * ${Number.MAX_SAFE_INTEGER})::bigint AS line) start
       WHERE EXISTS (SELECT FROM life)
       UNION SELECT ${lineBehind('some_lines.line')} FROM some_lines WHERE some_lines.line IS NOT NULL
     )`;

/** The kinds of looks that go by age; `due-looks.ts` has those that go by due time. */
type ByAge = Exclude<Claiming['which'], 'due'>;

/** Rows that others have locked are theirs. `from` has where a look begins that is not a whole one, by the column. */
function taking(
  which: `${ByAge}${'' | '_onward'}`,
  candidates: string,
  order: string,
  from: Readonly<Partial<Record<'due_at' | 'window_from', string>>> = {},
): Statement {
  return writes(
    `claim_${which}`,
    `WITH RECURSIVE ${LIFE}, ${SOME_LINES}, candidate AS MATERIALIZED (${candidates}), counted AS MATERIALIZED (
       SELECT tid, row_number() OVER byOrder AS n, sum(bytes) OVER byOrder AS bytes FROM candidate
       WINDOW byOrder AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
     ), ${takingOf('counted', 'n = 1 OR counted.bytes <= $5::bigint')}
     SELECT EXISTS (SELECT FROM life) AS alive, ${left('due_at', '$3', 'taken', from.due_at)} AS "nextDueAt",
       ${left('window_from', '$3', 'taken', from.window_from)} AS "oldestReceivedAt", claim.*
     FROM (SELECT) one LEFT JOIN LATERAL (${CLAIMS}) claim ON true`,
  );
}

/** What is known of a row that may be taken. */
const CANDIDATE = 'SELECT ctid AS tid, id, window_from, round, bytes';

/** Of those that `condition` has, the oldest that are not behind others of their line, which a line of any length does not hide. */
function firstOfLines(condition: string, limit: string): string {
  return `SELECT q.* FROM (
      (SELECT id, window_from FROM (
         SELECT * FROM queue WHERE destination = $3::integer AND EXISTS (SELECT FROM life) ${condition}
         ORDER BY destination, window_from, id LIMIT ${MAX_EXAMINED}
       ) q WHERE NOT (${IS_BEHIND}) LIMIT ${limit})
      UNION SELECT of_line.id, of_line.window_from FROM (SELECT line FROM some_lines LIMIT ${MAX_LINES}) one, LATERAL (
        SELECT * FROM queue WHERE destination = $3::integer AND line = one.line
        ORDER BY destination, line, window_from, id LIMIT 1
      ) of_line WHERE NOT EXISTS (SELECT FROM tries t WHERE t.destination = $3::integer AND t.line = one.line OFFSET 0)
      ORDER BY window_from, id
    ) chosen, LATERAL (
      ${CANDIDATE} FROM queue WHERE id = chosen.id ${condition} FOR UPDATE SKIP LOCKED
    ) q LIMIT ${limit}`;
}

const received = (onward = ''): string => firstOfLines(`${onward} AND window_from <= $6::bigint`, '$4::integer');
/** Of the oldest, the least tried. */
function leastTried(onward = ''): string {
  const oldest = firstOfLines(onward, String(PROBE_AMONG));
  return `SELECT * FROM (${oldest}) oldest ORDER BY round, window_from, id LIMIT $4::integer`;
}

/** A whole look. */
const CLAIM: Readonly<Record<ByAge, Statement>> = {
  received: taking('received', received(), 'window_from, id'),
  probe: taking('probe', leastTried(), 'round, window_from, id'),
};

/** From the due time on, and the acceptance, before which a look found nothing. */
function since(dueAt: number, oldestAt: number): { readonly due_at: string; readonly window_from: string } {
  return { due_at: `AND due_at >= $${dueAt}::bigint`, window_from: `AND window_from >= $${oldestAt}::bigint` };
}
const [RECEIVED_SINCE, PROBE_SINCE] = [since(7, 8), since(6, 7)];
const CLAIM_ONWARD: Readonly<Record<ByAge, Statement>> = {
  received: taking('received_onward', received(RECEIVED_SINCE.window_from), 'window_from, id', RECEIVED_SINCE),
  probe: taking('probe_onward', leastTried(PROBE_SINCE.window_from), 'round, window_from, id', PROBE_SINCE),
};

type Head = ReturnType<Heads['of']>;
/** From where the queue was found to begin, or from the very beginning. */
type Look = (request: ClaimRequest, from: Head) => Promise<Found>;

export function claim(parts: ClaimParts): DeliveryStorage['claim'] {
  const { names, heads } = parts;
  const look = looks(parts);
  return async (request) => {
    parts.life.require();
    const { which, destination } = request;
    if (!(await names.find([destination]))) return NOTHING;
    const head = heads.of(destination);
    const telling = heads.look(destination);
    if (head !== undefined) {
      const found = await look(request, head);
      telling.onward(found.nextDueAt, which === 'due' ? undefined : found.oldestReceivedAt);
      if (found.rows.length > 0) return claimedOf(which === 'due' ? dated(found, head) : found, destination, parts);
    }
    const found = await look(request, undefined);
    telling.whole(found.nextDueAt, found.oldestReceivedAt);
    return claimedOf(found, destination, parts);
  };
}

/** A look at what is due that is not a whole one does not look for the oldest. */
function dated(found: Found, { oldestAt }: { readonly oldestAt: number }): Found {
  return { ...found, oldestReceivedAt: found.nextDueAt === null ? null : oldestAt };
}

function looks(parts: ClaimParts): Look {
  const { names, time } = parts;
  const [whole, onward] = [new DueLooks(parts, 'whole'), new DueLooks(parts, 'onward')];
  return (request, from) => {
    const { limit, bytes = Number.MAX_SAFE_INTEGER } = request;
    if (request.which !== 'due') return byAge(parts, request, from);
    const due = { destination: names.idOf(request.destination), limit, bytes, now: time.toDatabase(request.now) };
    return from === undefined ? whole.look(due) : onward.look({ ...due, since: from.dueAt });
  };
}

/** The answer: what is left, and beside it each claim; one row with no claim where there is none. */
interface Row extends RowBeside, Pick<Found, 'nextDueAt' | 'oldestReceivedAt'> {
  readonly alive: boolean;
}

async function byAge(
  { database, names, life, time }: ClaimParts,
  request: Exclude<ClaimRequest, { readonly which: 'due' }>,
  from: Head,
): Promise<Found> {
  const { id, epoch } = life.require();
  const { which, destination, limit, bytes = Number.MAX_SAFE_INTEGER } = request;
  const bound = which === 'received' ? [time.toDatabase(request.upTo)] : [];
  const onward = from === undefined ? [] : [from.dueAt, from.oldestAt];
  const statement = (from === undefined ? CLAIM : CLAIM_ONWARD)[which];
  const rows = await database.run<Row>(statement, [
    id,
    epoch,
    names.idOf(destination),
    limit,
    bytes,
    ...bound,
    ...onward,
  ]);
  const [first] = rows;
  if (first?.alive !== true) throw life.over();
  const { nextDueAt, oldestReceivedAt } = first;
  return { rows: takenIn(rows), nextDueAt, oldestReceivedAt, epoch };
}

async function claimedOf(found: Found, destination: string, parts: ClaimParts): Promise<Claimed> {
  const { rows, nextDueAt, oldestReceivedAt, epoch } = found;
  await parts.names.read(rows.map(({ source }) => source));
  const timeOf = (at: number | null): number | undefined => (at === null ? undefined : parts.time.fromDatabase(at));
  return {
    claims: rows.map((row) => claimOf(row, destination, epoch, parts)),
    nextDueAt: timeOf(nextDueAt),
    oldestReceivedAt: timeOf(oldestReceivedAt),
  };
}
