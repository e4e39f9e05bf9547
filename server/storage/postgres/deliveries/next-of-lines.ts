import type { Claim, RoundRecord } from '../../../model/delivery.ts';
import { writes } from '../connection/statement.ts';
import type { ClaimParts } from './claim.ts';
import { LIFE, numbers } from './columns.ts';
import { CLAIMS, claimOf, type RowBeside, takenIn, takingOf } from './taken.ts';

interface Line {
  readonly destination: string;
  readonly line: number;
}

/**
 * Takes the first of each line of `lines`, unless one of it is being tried that `ended` does not have. It is chosen before it
 * is locked: what another has locked is its, and what comes behind that waits. `first` has all that were chosen.
 */
export function takingNext(lines: string, ended: string): string {
  return `first AS MATERIALIZED (
       SELECT f.id, line.destination FROM ${lines} line,
         LATERAL (SELECT id FROM queue w WHERE w.destination = line.destination AND w.line = line.line
           ORDER BY destination, line, window_from, id LIMIT 1) f
       WHERE (EXISTS (SELECT FROM tries t WHERE t.destination = line.destination AND t.line = line.line
         AND t.id <> ALL (${ended}) OFFSET 0)) IS NOT TRUE
     ), next AS MATERIALIZED (
       SELECT q.tid, 1 AS n FROM first,
         LATERAL (SELECT ctid AS tid FROM queue q WHERE q.id = first.id FOR UPDATE SKIP LOCKED) q
     ), ${takingOf('next')}`;
}

/** Of destinations `$3` and lines `$4`. */
const TAKE_NEXT = writes(
  'take_next',
  `WITH ${LIFE}, line AS MATERIALIZED (
     SELECT * FROM unnest($3::integer[], $4::bigint[]) line (destination, line) WHERE EXISTS (SELECT FROM life)
   ), ${takingNext('line', "'{}'::bigint[]")}
   SELECT first.id AS first, claim.* FROM first LEFT JOIN (${CLAIMS}) claim ON claim.delivery = first.id`,
);
/** Resolves once nobody has it locked. One at a time: who waits has locked nothing, so that nobody waits in a circle. */
const AWAIT_ONE = writes('await_one', 'SELECT FROM queue WHERE id = $1 FOR KEY SHARE');

/**
 * Takes what comes next in lines of which something has ended, and for which the record of that took nothing: it was accepted
 * meanwhile, or somebody was postponing it. Whatever of it fails, a claim brings it later.
 */
export async function nextOfLines(parts: ClaimParts, lines: readonly Line[]): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  if (lines.length === 0) return claims;
  try {
    const rows = await take(lines, parts);
    claims.push(...(await claimsOf(rows, parts)));
    const locked = rows.filter(({ delivery }) => delivery === null);
    for (const { first } of locked) await parts.database.run(AWAIT_ONE, [first]);
    if (locked.length > 0) claims.push(...(await claimsOf(await take(linesWithout(claims, lines), parts), parts)));
  } catch {
    // What was taken is held, and the rest waits.
  }
  return claims;
}

/** Where a line is as long as it was, one without a delivery. */
interface FirstRow extends RowBeside {
  /** The delivery that comes next, whoever has it. */
  readonly first: number;
}

async function take(lines: readonly Line[], { database, names, life }: ClaimParts): Promise<readonly FirstRow[]> {
  const { id, epoch } = life.require();
  await names.find(lines.map(({ destination }) => destination));
  const destinations = numbers(lines.map(({ destination }) => names.idOf(destination)));
  return database.run<FirstRow>(TAKE_NEXT, [id, epoch, destinations, numbers(lines.map(({ line }) => line))]);
}

/** Of the rows that have one. */
export async function claimsOf(rows: readonly RowBeside[], parts: ClaimParts): Promise<readonly Claim[]> {
  const { names, life } = parts;
  const taken = takenIn(rows);
  await names.read(taken.flatMap(({ source, destination }) => [source, destination]));
  const { epoch } = life.speaker();
  return taken.map((row) => claimOf(row, names.nameOf(row.destination), epoch, parts));
}

/** Each line once in which something has ended. */
export function linesOf(ended: readonly RoundRecord[]): readonly Line[] {
  const inLine = ended.flatMap(({ destination, line }) => (line === undefined ? [] : [{ destination, line }]));
  return [...new Map(inLine.map((one) => [keyOf(one), one])).values()];
}

/** Those of which nothing was taken. */
export function linesWithout(taken: readonly Claim[], lines: readonly Line[]): readonly Line[] {
  const keys = new Set(taken.map(keyOf));
  return lines.filter((line) => !keys.has(keyOf(line)));
}

function keyOf({ destination, line }: Partial<Line>): string {
  return `${line} ${destination}`;
}
