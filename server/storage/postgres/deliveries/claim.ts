import { type Claim, deliveryId } from '../../../model/delivery.ts';
import type { Event } from '../../../model/message.ts';
import {
  BEHIND_MS,
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
import { CARRIED, LIFE } from './columns.ts';
import type { Heads } from './heads.ts';
import type { OwnLife } from './life.ts';

export interface ClaimParts {
  readonly database: Queries;
  readonly names: Names;
  readonly life: OwnLife;
  readonly time: DatabaseTime;
  readonly heads: Heads;
}

const NOTHING: Claimed = { claims: [], nextDueAt: undefined, oldestReceivedAt: undefined };

/** The answer: what is left, and beside it each claim; one row with no claim where there is none. */
interface ClaimRow extends Omit<TakenRow, 'delivery'> {
  readonly alive: boolean;
  readonly nextDueAt: number | null;
  readonly oldestReceivedAt: number | null;
  readonly delivery: number | null;
}

export interface TakenRow {
  readonly delivery: number;
  readonly source: number;
  readonly receivedAt: number;
  readonly event: string;
  readonly round: number;
  readonly tries: number;
  readonly earlierRounds: number;
  readonly closed: string;
  readonly line: number | null;
}

/**
 * Whether a row of the queue is not the first of its line. A snapshot has each delivery in one of the tables. With `OFFSET`, no
 * version of the server reads the whole of `tries` into a hash instead.
 */
const IS_BEHIND = `q.line IS NOT NULL AND (
  EXISTS (SELECT FROM tries t WHERE t.destination = q.destination AND t.line = q.line OFFSET 0)
  OR EXISTS (SELECT FROM queue e WHERE e.destination = q.destination AND e.line = q.line
    AND (e.window_from, e.id) < (q.window_from, q.id) OFFSET 0))`;

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
     ), `;

/** Moves what `counted` has to what is being tried, and answers it as `claim`. */
export function takingOf(counted: string, condition = 'true'): string {
  return `taken AS (
       DELETE FROM queue q USING ${counted} counted WHERE q.ctid = counted.tid AND (${condition}) RETURNING q.*, n
     ), kept AS (
       INSERT INTO tries (node, epoch, round, set_at, ${CARRIED})
       SELECT $1::integer, $2::bigint, round + 1, set_at, ${CARRIED} FROM taken
     )`;
}
export const CLAIMS = `SELECT taken.id AS delivery, taken.destination, m.source, taken.window_from AS "receivedAt", m.event,
         taken.round + 1 AS round, taken.tries, taken.earlier_rounds AS "earlierRounds", taken.closed, taken.line
       FROM taken, LATERAL (SELECT source, event FROM messages WHERE messages.id = taken.message OFFSET 0) m ORDER BY n`;

/**
 * Rows that others have locked are theirs. Rows are found again by their place, whatever statistics say. `from` has where a look
 * begins that is not a whole one, by the column.
 */
function taking(
  which: `${Claiming['which']}${'' | '_onward'}`,
  candidates: string,
  order: string,
  from: Readonly<Partial<Record<'due_at' | 'window_from', string>>> = {},
): Statement {
  const isDue = which.startsWith('due');
  return writes(
    `claim_${which}`,
    `WITH RECURSIVE ${LIFE}, ${isDue ? '' : SOME_LINES}candidate AS MATERIALIZED (${candidates}), counted AS MATERIALIZED (
       SELECT tid, row_number() OVER byOrder AS n, sum(bytes) OVER byOrder AS bytes FROM candidate WHERE NOT behind
       WINDOW byOrder AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
     ), ${takingOf('counted', 'n = 1 OR counted.bytes <= $5::bigint')}${isDue ? POSTPONED : ''}
     SELECT EXISTS (SELECT FROM life) AS alive, ${isDue ? nextDue(from.due_at) : left('due_at', 'taken', from.due_at)} AS "nextDueAt",
       ${which === 'due_onward' ? 'NULL::bigint' : left('window_from', 'taken', from.window_from)} AS "oldestReceivedAt", claim.*
     FROM (SELECT) one LEFT JOIN LATERAL (${CLAIMS}) claim ON true`,
  );
}

/** The least of what waits, and has not just been taken. */
function left(column: 'due_at' | 'window_from', moved = 'taken', from = ''): string {
  return `(SELECT ${column} FROM queue WHERE destination = $3 ${from} AND (id IN (SELECT id FROM ${moved})) IS NOT TRUE
    ORDER BY destination, ${column}, id LIMIT 1)`;
}

/** What is due behind another comes with the end of that. */
const POSTPONED = `, postponed AS (
       UPDATE queue q SET due_at = $6::bigint + ${BEHIND_MS} FROM candidate c WHERE q.ctid = c.tid AND c.behind RETURNING q.id
     ), moved AS (SELECT id FROM taken UNION ALL SELECT id FROM postponed)`;
/** From the due time on that a look found the queue to begin with. */
const ONWARD = 'AND due_at >= $7::bigint';
function nextDue(from: string | undefined): string {
  const next = left('due_at', 'moved', from);
  return `least(${next}, (SELECT $6::bigint + ${BEHIND_MS} FROM postponed LIMIT 1))`;
}

/** What is known of a row that may be taken. */
const CANDIDATE = 'SELECT ctid AS tid, id, due_at, window_from, round, bytes';
function due(onward = ''): string {
  return `${CANDIDATE}, (${IS_BEHIND}) AS behind FROM queue q
    WHERE destination = $3::integer AND EXISTS (SELECT FROM life) ${onward} AND due_at <= $6::bigint
    ORDER BY destination, due_at, id LIMIT $4::integer FOR UPDATE SKIP LOCKED`;
}

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
      ${CANDIDATE}, false AS behind FROM queue WHERE id = chosen.id ${condition} FOR UPDATE SKIP LOCKED
    ) q LIMIT ${limit}`;
}

const received = (onward = ''): string => firstOfLines(`${onward} AND window_from <= $6::bigint`, '$4::integer');
/** Of the oldest, the least tried. */
function leastTried(onward = ''): string {
  const oldest = firstOfLines(onward, String(PROBE_AMONG));
  return `SELECT * FROM (${oldest}) oldest ORDER BY round, window_from, id LIMIT $4::integer`;
}

/** A whole look. */
const CLAIM: Readonly<Record<Claiming['which'], Statement>> = {
  due: taking('due', due(), 'due_at, id'),
  received: taking('received', received(), 'window_from, id'),
  probe: taking('probe', leastTried(), 'round, window_from, id'),
};

/** From the due time on, and the acceptance, before which a look found nothing. */
function since(dueAt: number, oldestAt: number): { readonly due_at: string; readonly window_from: string } {
  return { due_at: `AND due_at >= $${dueAt}::bigint`, window_from: `AND window_from >= $${oldestAt}::bigint` };
}
const [DUE_SINCE, RECEIVED_SINCE, PROBE_SINCE] = [{ due_at: ONWARD }, since(7, 8), since(6, 7)];
const CLAIM_ONWARD: Readonly<Record<Claiming['which'], Statement>> = {
  due: taking('due_onward', due(ONWARD), 'due_at, id', DUE_SINCE),
  received: taking('received_onward', received(RECEIVED_SINCE.window_from), 'window_from, id', RECEIVED_SINCE),
  probe: taking('probe_onward', leastTried(PROBE_SINCE.window_from), 'round, window_from, id', PROBE_SINCE),
};

export function claim(parts: ClaimParts): DeliveryStorage['claim'] {
  const { names, heads } = parts;
  return async (request) => {
    parts.life.require();
    const { which, destination } = request;
    if (!(await names.find([destination]))) return NOTHING;
    const head = heads.of(destination);
    const look = heads.look(destination);
    if (head !== undefined) {
      const from = which === 'due' ? [head.dueAt] : [head.dueAt, head.oldestAt];
      const { claimed, ...rest } = await asked(parts, CLAIM_ONWARD[which], request, ...from);
      look.onward(rest.nextDueAt, which === 'due' ? undefined : rest.oldestReceivedAt);
      if (claimed.claims.length > 0) return which === 'due' ? dated(claimed, rest, head, parts.time) : claimed;
    }
    const { claimed, nextDueAt, oldestReceivedAt } = await asked(parts, CLAIM[which], request);
    look.whole(nextDueAt, oldestReceivedAt);
    return claimed;
  };
}

/** A look at what is due that is not a whole one does not look for the oldest. */
function dated(
  claimed: Claimed,
  { nextDueAt }: Pick<ClaimRow, 'nextDueAt'>,
  { oldestAt }: { readonly oldestAt: number },
  time: DatabaseTime,
): Claimed {
  return { ...claimed, oldestReceivedAt: nextDueAt === null ? undefined : time.fromDatabase(oldestAt) };
}

interface Asked extends Pick<ClaimRow, 'nextDueAt' | 'oldestReceivedAt'> {
  readonly claimed: Claimed;
}

async function asked(
  parts: ClaimParts,
  statement: Statement,
  request: ClaimRequest,
  ...from: readonly number[]
): Promise<Asked> {
  const { database, names, life, time } = parts;
  const { id, epoch } = life.require();
  const { destination, limit, bytes = Number.MAX_SAFE_INTEGER } = request;
  const values = [id, epoch, names.idOf(destination), limit, bytes, ...boundOf(request, time), ...from];
  const rows = await database.run<ClaimRow>(statement, values);
  const [first] = rows;
  if (first?.alive !== true) throw life.over();
  const claims = rows.filter(isClaim);
  await names.read(claims.map(({ source }) => source));
  const { nextDueAt, oldestReceivedAt } = first;
  const claimed = {
    claims: claims.map((row) => claimOf(row, destination, epoch, parts)),
    nextDueAt: timeOf(nextDueAt, time),
    oldestReceivedAt: timeOf(oldestReceivedAt, time),
  };
  return { claimed, nextDueAt, oldestReceivedAt };
}

function boundOf(request: ClaimRequest, time: DatabaseTime): readonly number[] {
  switch (request.which) {
    case 'due':
      return [time.toDatabase(request.now)];
    case 'received':
      return [time.toDatabase(request.upTo)];
    case 'probe':
      return [];
  }
}

function isClaim(row: ClaimRow): row is ClaimRow & { readonly delivery: number } {
  return row.delivery !== null;
}

function timeOf(at: number | null, time: DatabaseTime): number | undefined {
  return at === null ? undefined : time.fromDatabase(at);
}

export function claimOf(
  row: TakenRow,
  destination: string,
  epoch: number,
  { names, life, time }: Omit<ClaimParts, 'database' | 'heads'>,
): Claim {
  // Both were written by this store as JSON of these types.
  const event: Event = JSON.parse(row.event);
  const closed: string[] = row.closed === '[]' ? [] : JSON.parse(row.closed);
  const message = { source: names.nameOf(row.source), receivedAt: time.fromDatabase(row.receivedAt), event };
  const { round, tries, earlierRounds } = row;
  const fence = { delivery: deliveryId(String(row.delivery)), node: life.node, epoch, round };
  const earlier = earlierRounds === 0 ? {} : { earlierRounds };
  const inLine = row.line === null ? {} : { line: row.line };
  return { ...fence, destination, message, bytes: row.event.length, tries, ...earlier, closed, ...inLine };
}
