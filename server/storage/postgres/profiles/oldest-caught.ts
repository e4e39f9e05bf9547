import { workspaceOf } from '../../../model/resource-names.ts';
import type { Queries } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import { numbers } from '../deliveries/columns.ts';
import { namesBetween } from '../log/columns.ts';

/** What was caught of any workspace. */
const LOOK = reads(
  'look_for_caught',
  `SELECT id, (SELECT name FROM names WHERE names.id = inbox.source) AS source FROM inbox
   WHERE id <= $1 ORDER BY id LIMIT $2`,
);
/** The next name of a source, or of a destination of one. */
function nextBehind(name: string): string {
  return namesBetween(name, "$1 || '/sources0'", 1);
}
/** A source, or one and what is below it: any workspace and any source may be called "destinations". */
const IN_SOURCES = "substr(own.name, length($1 || '/sources/') + 1)";
/** From one to the next by the index: the destinations of each, which may be any number, also such as are gone, are passed at once. */
const SOURCES = reads(
  'sources_of',
  `WITH RECURSIVE own AS (
     ${nextBehind("$1 || '/sources/'")}
     UNION ALL
     SELECT next.* FROM own, LATERAL ${nextBehind(
       `CASE strpos(${IN_SOURCES}, '/') WHEN 0 THEN own.name ELSE $1 || '/sources/' || split_part(${IN_SOURCES}, '/', 1) || '/destinations0' END`,
     )} next
   ) SELECT id FROM own WHERE strpos(${IN_SOURCES}, '/') = 0`,
);
/** Of each source so many behind a place, by an index: others may have millions before them, and each source millions behind them. */
const LOOK_BEHIND = reads(
  'look_for_caught_behind',
  `SELECT own.source, next.id FROM unnest($1::integer[], $2::bigint[]) own (source, place),
     LATERAL (SELECT id FROM inbox i WHERE (i.source, i.id) > (own.source, own.place) AND (i.source, i.id) <= (own.source, $3::bigint)
       ORDER BY i.source, i.id LIMIT $4) next`,
);

/** A part of the inbox. */
export interface CaughtPart {
  /** Absent: all. */
  readonly workspace?: string | undefined;
  readonly upTo?: number | undefined;
}

const LAST_OF_ALL = Number.MAX_SAFE_INTEGER;

/** One that was caught, of a source of this workspace. */
export interface CaughtId {
  readonly id: number;
  readonly workspace: string;
}

/** The oldest of a part, in their order, up to `limit`; also of what another router is folding. */
export async function oldestCaught(
  queries: Queries,
  { workspace, upTo = LAST_OF_ALL }: CaughtPart,
  limit: number,
): Promise<readonly CaughtId[]> {
  if (workspace === undefined) {
    const rows = await queries.run<Row & { readonly source: string }>(LOOK, [upTo, limit]);
    return rows.map(({ id, source }) => ({ id, workspace: workspaceOf(source) }));
  }
  const sources = idsIn(await queries.run<Row>(SOURCES, [workspace]));
  return (await oldestOf(queries, sources, { upTo, limit })).map((id) => ({ id, workspace }));
}

interface Row {
  readonly id: number;
}

/** How far the ids of a source are known. */
interface Known {
  readonly source: number;
  readonly place: number;
}

/**
 * A few of each source at first, and then twice as many of those that may have more of the oldest: at most some times `limit` rows
 * are read, however they are divided among however many sources.
 */
async function oldestOf(
  queries: Queries,
  sources: readonly number[],
  { upTo, limit }: { readonly upTo: number; readonly limit: number },
): Promise<readonly number[]> {
  let found: number[] = [];
  let open: readonly Known[] = sources.map((source) => ({ source, place: 0 }));
  for (let most = Math.ceil(limit / Math.max(1, open.length)); open.length > 0; most *= 2) {
    const values = [numbers(open.map(({ source }) => source)), numbers(open.map(({ place }) => place)), upTo, most];
    const rows = await queries.run<Row & { readonly source: number }>(LOOK_BEHIND, values);
    found = [...found, ...idsIn(rows)].toSorted((a, b) => a - b).slice(0, limit);
    const last = found.length < limit ? upTo : (found.at(-1) ?? upTo);
    const bySource = Map.groupBy(rows, ({ source }) => source);
    const places = [...bySource].map(([source, own]) => ({
      source,
      place: own.at(-1)?.id ?? 0,
      isFull: own.length === most,
    }));
    open = places.filter(({ place, isFull }) => isFull && place < last);
  }
  return found;
}

function idsIn(rows: readonly Row[]): number[] {
  return rows.map(({ id }) => id);
}
