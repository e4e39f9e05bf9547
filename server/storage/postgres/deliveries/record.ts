import type { Claim, RoundRecord } from '../../../model/delivery.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { DeliveryStorage } from '../../delivery-storage.ts';
import { OutcomeUnknown } from '../../errors.ts';
import { countedAs, triedAgainAt } from '../../../model/logged-delivery.ts';
import { AnotherServer } from '../connection/failures.ts';
import { reads, writes } from '../connection/statement.ts';
import { Chapters } from '../log/chapters.ts';
import { TABLES } from '../log/columns.ts';
import type { DatabaseTime } from '../time.ts';
import type { ClaimParts } from './claim.ts';
import { CARRIED, LIFE, numbers } from './columns.ts';
import { Inserts, newRows } from './new-rows.ts';
import { claimsOf, linesOf, linesWithout, nextOfLines, takingNext } from './next-of-lines.ts';
import { CLAIMS, type RowBeside } from './taken.ts';

/** So many rounds are recorded by one statement. */
const MAX_ROUNDS = 500;
/** Fewer wait until so long after the call before began: rounds that end meanwhile share the next one. */
const [WORTH_A_COMMIT, PACE_MS] = [100, 40];
const HOUR = 3_600_000;

const ATTEMPT_COLUMNS = `number, started_at, webhook, duration_ms, outcome, status, excerpt, rule, next_due_at,
  connect_ms, send_ms, wait_ms, read_ms`;
const ATTEMPT_TYPES = [
  'int',
  'bigint',
  'text',
  'int',
  'text',
  'int',
  'text',
  'text',
  'bigint',
  'int',
  'int',
  'int',
  'int',
];

/** Attempts as rows, of columns from the parameter `first` on; those that `types` names come before the rest. */
function attemptsFrom(first: number, own: string, types: readonly string[]): string {
  const columns = [...types, ...ATTEMPT_TYPES].map((type, index) => `$${first + index}::${type}[]`);
  return `unnest(${columns.join(', ')}) attempt (${own}, ${ATTEMPT_COLUMNS})`;
}

/**
 * What is held by its fence is taken from `tries` and put where its verdict says. Found row by row, and then by its place, so
 * that no statistics make a scan of it. Where the log has the number, as of something else that was given it before a database was put
 * back, it keeps what it has: else no round of this router was recorded any more.
 */
const records = (onTaken: string): string => `WITH ${LIFE}, found AS MATERIALIZED (
     SELECT report.*, held.tid FROM unnest($3::bigint[], $4::int[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[],
       $9::int[], $10::text[], $11::text[])
       WITH ORDINALITY report (id, round, state, ended_at, due_at, set_at, tries, closed, counted, n),
       LATERAL (SELECT ctid AS tid FROM tries t
         WHERE t.id = report.id AND t.round = report.round AND t.node = $1::int AND t.epoch = $2::bigint OFFSET 0) held
     WHERE EXISTS (SELECT FROM life)
   ), gone AS (
     DELETE FROM tries t USING found f WHERE t.ctid = f.tid
     RETURNING t.id, t.message, t.destination, t.round, t.earlier_rounds, t.received_at, t.window_from, t.bytes, t.type, t.event,
       t.user_id, t.line, f.n, f.state, f.ended_at, f.due_at, f.set_at, f.tries, f.closed, f.counted
   ), ended AS (
     INSERT INTO log (id, message, destination, state, round, earlier_rounds, received_at, ended_at, bytes, type, event, user_id, line)
     SELECT id, message, destination, state, round, earlier_rounds, received_at, ended_at, bytes, type, event, user_id, line
     FROM gone WHERE state <> 'pending' ${onTaken}
   ), postponed AS (
     INSERT INTO queue (round, due_at, set_at, ${CARRIED})
     SELECT round, due_at, set_at, ${CARRIED} FROM gone WHERE state = 'pending'
   ), counted AS (
     INSERT INTO counts (hour, destination, what, node, count)
     SELECT ended_at - ended_at % ${HOUR} AS hour, destination, what, $28::int, count(*)
     FROM gone, string_to_table(counted, ' ') what GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (destination, hour, what, node) DO UPDATE SET count = counts.count + excluded.count
   ), attempted AS (
     INSERT INTO attempts (delivery, round, ${ATTEMPT_COLUMNS})
     SELECT delivery, round, ${ATTEMPT_COLUMNS} FROM ${attemptsFrom(12, 'n, delivery, round', ['int', 'bigint', 'int'])}
     WHERE (n IN (SELECT n FROM gone)) IS TRUE ${onTaken})`;
const REPORT = 'SELECT EXISTS (SELECT FROM life) AS alive, ARRAY(SELECT n::int FROM gone) AS counted';
const RECORD = newRows('record', (onTaken) => `${records(onTaken)} ${REPORT}`);
/**
 * The same where something is in a line: what comes next is taken with the end before it, so that nothing of it is between two
 * statements when a router dies. The first row of the answer is the report.
 */
const AND_NEXT = `, line AS MATERIALIZED (
     SELECT DISTINCT destination, line FROM gone WHERE state <> 'pending' AND line IS NOT NULL
   ), ${takingNext('line', "ARRAY(SELECT id FROM gone WHERE state <> 'pending')")}
   SELECT * FROM (${REPORT}) report FULL JOIN (${CLAIMS}) claim ON false ORDER BY alive NULLS LAST`;
const RECORD_AND_NEXT = newRows('record_and_next', (onTaken) => `${records(onTaken)}${AND_NEXT}`);

/**
 * Of rounds whose verdict came too late, attempts are kept as long as their delivery is there. Its row is locked, so that who
 * erases it finds them, or they find it gone.
 */
const RECORD_LATE = writes(
  'record_late',
  `WITH ${LIFE}, ${TABLES.map(
    (table) => `in_${table} AS MATERIALIZED (
     SELECT one.id FROM unnest($4::bigint[]) one (id), LATERAL (SELECT FROM ${table} t WHERE t.id = one.id FOR KEY SHARE) held
     WHERE EXISTS (SELECT FROM life))`,
  ).join(', ')}
   INSERT INTO attempts (delivery, round, ${ATTEMPT_COLUMNS})
   SELECT delivery, round, ${ATTEMPT_COLUMNS} FROM ${attemptsFrom(3, 'n, delivery, round', ['int', 'bigint', 'int'])}
   WHERE (delivery IN (${TABLES.map((table) => `SELECT id FROM in_${table}`).join(' UNION ALL ')})) IS TRUE
   ON CONFLICT DO NOTHING`,
);

/** Which reports hold already, as those of a try whose answer was lost. */
const RECORDED = reads(
  'recorded',
  `SELECT n::int FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[]) WITH ORDINALITY report (id, round, state, due_at, n)
   WHERE coalesce(
     (SELECT true FROM log l WHERE l.id = report.id AND l.round = report.round AND l.state = report.state LIMIT 1),
     (SELECT true FROM queue q WHERE q.id = report.id AND q.round = report.round AND q.due_at = report.due_at LIMIT 1), false)`,
);

interface RecordParts extends ClaimParts {
  readonly chapters: Chapters;
  readonly inserts: Inserts;
}

interface WaitingParts extends ClaimParts {
  readonly clock: Pick<Clock, 'steady' | 'sleep'>;
}

interface Report {
  readonly round: RoundRecord;
  /** Its place in the call. */
  readonly index: number;
}

/** What is known so far of the rounds of one call. */
interface Call {
  /** The places of those whose verdicts count. */
  readonly counted: Set<number>;
  /** What was taken in the place of what has ended. */
  readonly next: Claim[];
  /** Of these the answer was lost. */
  readonly lost: Report[];
  /** Those that a call before may have recorded; undefined where none may have. */
  readonly unsure: Set<string> | undefined;
}

/** What a life that is over reports is refused without a word to the database. */
export function record(parts: WaitingParts): DeliveryStorage['record'] {
  /** Those that count, or may, of calls that failed: nobody was told. */
  const unsure = new Set<string>();
  const inserts = new Inserts(parts.database, parts.clock);
  const recording: RecordParts = { ...parts, chapters: new Chapters(), inserts };
  let begunAt = -Infinity;
  return async (rounds) => {
    const early = begunAt + PACE_MS - parts.clock.steady();
    if (early > 0 && mayWait(rounds)) await parts.clock.sleep(early);
    begunAt = parts.clock.steady();
    const own = rounds.map((round, index) => ({ round, index })).filter(({ round }) => parts.life.has(round));
    const call: Call = {
      counted: new Set(),
      next: [],
      lost: [],
      unsure: unsure.size > 0 ? new Set(unsure) : undefined,
    };
    const { counted, next, lost } = call;
    try {
      for (let start = 0; start < own.length; start += MAX_ROUNDS)
        await recordSurely(recording, own.slice(start, start + MAX_ROUNDS), call);
    } catch (error) {
      for (const { round } of [...lost, ...own.filter(({ index }) => counted.has(index))]) unsure.add(keyOf(round));
      throw error;
    }
    if (unsure.size > 0) for (const round of rounds) unsure.delete(keyOf(round));
    const ended = rounds.filter(({ verdict }, index) => counted.has(index) && verdict.state !== 'pending');
    next.push(...(await nextOfLines(parts, linesWithout(next, linesOf(ended)))));
    return { refused: [...rounds.keys()].filter((index) => !counted.has(index)), next };
  };
}

/** The next of a line is not sent before. */
function mayWait(rounds: readonly RoundRecord[]): boolean {
  return rounds.length < WORTH_A_COMMIT && rounds.every(({ line }) => line === undefined);
}

/**
 * Whoever asks again after a failure hears that it counts, if the first try held; else a retry that this router has to
 * wait for would be forgotten until somebody looks at all that waits.
 */
async function recordSurely(parts: RecordParts, reports: readonly Report[], call: Call): Promise<void> {
  await recordSome(parts, reports, call);
  const { counted, unsure } = call;
  if (unsure === undefined) return;
  const asked = reports.filter(({ round, index }) => unsure.delete(keyOf(round)) && !counted.has(index));
  if (asked.length === 0) return;
  const [ids, numbersOf, states, , due] = reportColumns(
    asked.map(({ round }) => round),
    parts.time,
  );
  const rows = await parts.database.run<{ readonly n: number }>(RECORDED, [ids, numbersOf, states, due]);
  for (const { n } of rows) counted.add(asked[n - 1]?.index ?? -1);
}

function keyOf({ delivery, round }: RoundRecord): string {
  return `${delivery} ${round}`;
}

interface Answer extends RowBeside {
  readonly alive: boolean;
  /** The places of the rounds whose verdicts count. */
  readonly counted: readonly number[];
}

async function recordSome(parts: RecordParts, reports: readonly Report[], call: Call): Promise<void> {
  const { database, inserts, life, time, chapters } = parts;
  const { id, epoch } = life.speaker();
  const rounds = reports.map(({ round }) => round);
  const values = [...reportColumns(rounds, time), ...attemptColumns(rounds), chapters.next()];
  const statement = rounds.some(({ line }) => line !== undefined) ? RECORD_AND_NEXT : RECORD;
  const isAgain = call.unsure !== undefined && rounds.some((round) => call.unsure?.has(keyOf(round)));
  const run = (): Promise<readonly Answer[]> => inserts.run<Answer>(statement, [id, epoch, ...values], isAgain);
  // Its fence is the same at any server, and a life that is over has little time for it.
  const sure = run().catch((error: unknown) => (error instanceof AnotherServer ? run() : Promise.reject(error)));
  const [answer, ...next] = await sure.catch((error: unknown) => {
    if (error instanceof OutcomeUnknown) call.lost.push(...reports);
    throw error;
  });
  if (answer?.alive !== true) return life.end({ epoch });
  for (const place of answer.counted) call.counted.add(reports[place - 1]?.index ?? -1);
  noteAge(parts, rounds);
  const late = reports.filter(({ round, index }) => round.attempts.length > 0 && !call.counted.has(index));
  if (late.length > 0) await database.run(RECORD_LATE, [id, epoch, ...attemptColumns(late.map(({ round }) => round))]);
  call.next.push(...(await claimsOf(next, parts)));
}

/** What waits again is as old as it was. */
function noteAge({ heads, time }: ClaimParts, rounds: readonly RoundRecord[]): void {
  for (const { destination, verdict, ageMs } of rounds)
    if (verdict.state === 'pending') heads.postponed(destination, Math.floor(time.now() - ageMs));
}

function reportColumns(rounds: readonly RoundRecord[], time: DatabaseTime): readonly unknown[] {
  const pending = rounds.map(({ verdict }) => (verdict.state === 'pending' ? verdict : undefined));
  const moved = (at: number | undefined): number | null => (at === undefined ? null : time.toDatabase(at));
  return [
    numbers(rounds.map(({ delivery }) => Number(delivery))),
    numbers(rounds.map(({ round }) => round)),
    rounds.map(({ verdict }) => verdict.state),
    numbers(rounds.map(({ endedAt }) => endedAt)),
    numbers(pending.map((verdict) => moved(verdict?.dueAt))),
    numbers(pending.map((verdict) => moved(verdict?.setAt))),
    numbers(pending.map((verdict) => verdict?.tries ?? null)),
    pending.map((verdict) => (verdict === undefined ? null : JSON.stringify(verdict.closed))),
    rounds.map((round) => countedAs(round).join(' ')),
  ];
}

function attemptColumns(rounds: readonly RoundRecord[]): readonly unknown[] {
  const all = rounds.flatMap((round, index) =>
    round.attempts.map((attempt) => ({ ...attempt, of: round, n: index + 1 })),
  );
  return [
    numbers(all.map(({ n }) => n)),
    numbers(all.map(({ of }) => Number(of.delivery))),
    numbers(all.map(({ of }) => of.round)),
    numbers(all.map(({ number }) => number)),
    numbers(all.map(({ startedAt }) => startedAt)),
    all.map(({ webhook }) => webhook),
    numbers(all.map(({ durationMs }) => Math.round(durationMs))),
    all.map(({ outcome }) => outcome),
    numbers(all.map(({ status = null }) => status)),
    all.map(({ excerpt }) => excerpt),
    all.map(({ rule }) => rule),
    numbers(all.map(({ of, webhook }) => triedAgainAt(of, webhook) ?? null)),
    ...(['connectMs', 'sendMs', 'waitMs', 'readMs'] as const).map((phase) =>
      numbers(all.map(({ phases = {} }) => phases[phase] ?? null)),
    ),
  ];
}
