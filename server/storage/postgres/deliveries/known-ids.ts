import { fromBytes, type Fingerprint } from '../../fingerprint.ts';
import { RememberedIds } from './remembered-ids.ts';
import type { Database } from '../connection/database.ts';
import { keeps } from '../connection/statement.ts';
import { TABLES } from '../connection/timeline.ts';
import type { DatabaseTime } from '../time.ts';

interface Page {
  /** Of the database, as this page was read. */
  readonly snapshot: string;
  /** As the server calls them. */
  readonly tables: string;
  readonly now: number;
  /** Null where there is nothing to read. */
  readonly xact: string | null;
  readonly id: number;
  readonly at: number;
  readonly fingerprints: Buffer;
}

const DAY_MS = 86_400_000;
/** So many commits are read at a time. */
const PAGE = 1_000;

/**
 * Commits of transactions from `$1` on, behind the place `$1`, `$2`. A bare `xact` would be put in the order of what is answered, which
 * is a text: 100 before 95.
 */
const TAIL = keeps(
  'tail_commits',
  `SELECT pg_current_snapshot()::text AS snapshot, ${TABLES}::text AS tables, now_ms() AS now, c.*
   FROM (SELECT) one LEFT JOIN LATERAL (
     SELECT xact::text AS xact, id, at, fingerprints FROM commits
     WHERE (commits.xact, commits.id) > ($1::xid8, $2::bigint) ORDER BY commits.xact, commits.id LIMIT ${PAGE}
   ) c ON true`,
  'xact IS NOT NULL',
);
/** Commits of transactions that had not ended when a snapshot was taken. */
const LATE = keeps('tail_late_commits', 'SELECT at, fingerprints FROM commits WHERE xact = ANY($1::xid8[])');

/** All transactions below `end`, but for those that were `running`. */
interface Seen {
  readonly end: string;
  readonly running: readonly string[];
}

type Source = Pick<Database, 'run' | 'timeline' | 'reached'>;

const NOTHING: Seen = { end: '0', running: [] };

/**
 * The message ids that any router accepted within a day (D-43, decisions/012), in memory: each router reads what the others
 * have committed since it last looked. Of the last minutes the database itself knows them exactly.
 */
export class KnownIds {
  readonly #database: Source;
  readonly #time: Pick<DatabaseTime, 'toDatabase' | 'steady'>;
  readonly #ids = new RememberedIds();
  /** What could be seen when it last looked. */
  #seen = NOTHING;
  /** Of the server that it looked at. */
  #timeline: number;
  #until = 0;
  #following: Promise<void> | undefined;

  constructor(database: Source, time: Pick<DatabaseTime, 'toDatabase' | 'steady'>) {
    [this.#database, this.#time, this.#timeline] = [database, time, database.timeline()];
  }

  /** By the database's clock: everything is known whose transaction had ended then. Of a server that has just taken over, nothing. */
  get until(): number {
    return this.#timeline === this.#database.timeline() ? this.#until : 0;
  }

  has(fingerprint: Fingerprint): boolean {
    return this.#ids.has(fingerprint);
  }

  add(fingerprint: Fingerprint, at: number): void {
    if (!this.#ids.has(fingerprint)) this.#ids.add(fingerprint, at);
  }

  forgetBefore(at: number): void {
    this.#ids.forgetBefore(at);
  }

  /** Reads what was committed since; who asks meanwhile waits for the next time, as this one may be past its commit. */
  async follow(): Promise<void> {
    await this.#following?.catch(() => undefined);
    await (this.#following ??= this.#read().finally(() => (this.#following = undefined)));
  }

  async #read(): Promise<void> {
    const [{ end, running }, timeline] = [this.#seen, this.#database.timeline()];
    const rows = await this.#page(before(end), Number.MAX_SAFE_INTEGER);
    const [first] = rows;
    if (first === undefined) return;
    const seen = readSnapshot(first.snapshot);
    // Another server took over that was behind: it gives numbers once more, all of them may be of others, and what it lacks was lost.
    if (timeline !== this.#timeline || BigInt(seen.end) < BigInt(end)) {
      [this.#seen, this.#until, this.#timeline] = [NOTHING, 0, timeline];
      this.#ids.forgetBefore(Infinity);
      return this.#read();
    }
    // What is newer than the first page may be read again the next time.
    for (let last = this.#keep(rows); last !== undefined;)
      last = this.#keep(await this.#page(last.xact ?? end, last.id));
    if (running.length > 0) {
      for (const row of await this.#database.run<Page>(LATE, [`{${running.join(',')}}`])) this.#keepOne(row);
    }
    this.#seen = seen;
    this.#database.reached({ next: BigInt(seen.end), tables: first.tables }, timeline);
    this.#until = first.now;
    // Not a day before `now`: the database's clock may have been set since.
    this.#ids.forgetBefore(this.#time.toDatabase(this.#time.steady() - DAY_MS));
  }

  #page(xact: string, id: number): Promise<readonly Page[]> {
    return this.#database.run<Page>(TAIL, [xact, id]);
  }

  /** Answers the last row where there may be more. */
  #keep(rows: readonly Page[]): Page | undefined {
    for (const row of rows) if (row.xact !== null) this.#keepOne(row);
    return rows.length < PAGE ? undefined : rows.at(-1);
  }

  #keepOne({ fingerprints, at }: Pick<Page, 'fingerprints' | 'at'>): void {
    for (const fingerprint of fromBytes(fingerprints)) this.add(fingerprint, at);
  }
}

/** The place behind which the rows of a transaction begin. */
function before(xact: string): string {
  return String(BigInt(xact) - (xact === '0' ? 0n : 1n));
}

/** `10:20:10,14`: the first that runs, the first that has not begun, and all that run. */
function readSnapshot(text: string): Seen {
  const [, end = '0', running = ''] = text.split(':');
  return { end, running: running === '' ? [] : running.split(',') };
}
