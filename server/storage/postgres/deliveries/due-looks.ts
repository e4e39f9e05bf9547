import { BEHIND_MS } from '../../delivery-storage.ts';
import type { Queries } from '../connection/database.ts';
import { StatementEnded, StatementRefused } from '../connection/failures.ts';
import { type Statement, writes } from '../connection/statement.ts';
import { LIFE, numbers } from './columns.ts';
import type { OwnLife } from './life.ts';
import { CLAIMS, IS_BEHIND, left, type RowBeside, takenIn, takingOf, type TakenRow } from './taken.ts';

/** What of a destination's queue is taken, by the database's clock. */
export interface DueLook {
  readonly destination: number;
  readonly limit: number;
  /** Of all events; the first is taken however large it is. */
  readonly bytes: number;
  readonly now: number;
  /** From this due time on; without it, from the very beginning. */
  readonly since?: number;
}

/** What a look has taken, in its order, and what it has left. */
export interface Found {
  readonly rows: readonly TakenRow[];
  readonly nextDueAt: number | null;
  /** Null where nothing waits, or it was not looked for. */
  readonly oldestReceivedAt: number | null;
  /** Of the life for which it was taken. */
  readonly epoch: number;
}

/** So many statements are under way at once: each has a commit of its own, for which whoever stores or records would wait. */
const MAX_UNDER_WAY = 2;
/** What comes meanwhile shares the next, up to so many events' bytes: they are parsed in one go. */
const MAX_BYTES = 2 * 2 ** 20;
const MAX_LOOKS = 100;
/** So many destinations are kept in mind whose statement failed. */
const MAX_APART = 10_000;

/**
 * Looks at what is due for destinations `$3`: at most `$4` of each, of `$5` bytes, due until `$6`, and from `$7` on. Rows that
 * others have locked are theirs. What is due behind another of its line comes with the end of that.
 */
function taking(name: string, onward: string): Statement {
  const isWhole = onward === '';
  const next = left('due_at', 'look.destination', 'moved', onward);
  return writes(
    name,
    `WITH ${LIFE}, look AS MATERIALIZED (
       SELECT * FROM unnest($3::integer[], $4::integer[], $5::bigint[], $6::bigint[]${isWhole ? '' : ', $7::bigint[]'})
         WITH ORDINALITY look (destination, room, most, now${isWhole ? '' : ', since'}, place) WHERE EXISTS (SELECT FROM life)
     ), candidate AS MATERIALIZED (
       SELECT look.place, look.most, look.now, q.* FROM look, LATERAL (
         SELECT ctid AS tid, id, due_at, bytes, (${IS_BEHIND}) AS behind FROM queue q
         WHERE destination = look.destination ${onward} AND due_at <= look.now
         ORDER BY destination, due_at, id LIMIT look.room FOR UPDATE SKIP LOCKED) q
     ), counted AS MATERIALIZED (
       SELECT tid, most, row_number() OVER byOrder AS n, sum(bytes) OVER byOrder AS bytes FROM candidate WHERE NOT behind
       WINDOW byOrder AS (PARTITION BY place ORDER BY due_at, id ROWS UNBOUNDED PRECEDING)
     ), ${takingOf('counted', 'n = 1 OR counted.bytes <= counted.most')}, postponed AS (
       UPDATE queue q SET due_at = c.now + ${BEHIND_MS} FROM candidate c WHERE q.ctid = c.tid AND c.behind
       RETURNING q.id, q.destination
     ), moved AS (SELECT id FROM taken UNION ALL SELECT id FROM postponed)
     SELECT EXISTS (SELECT FROM life) AS alive,
       ARRAY(SELECT least(${next}, (SELECT look.now + ${BEHIND_MS} FROM postponed p WHERE p.destination = look.destination LIMIT 1))
         FROM look ORDER BY place) AS "nextDueAt",
       ${isWhole ? `ARRAY(SELECT ${left('window_from', 'look.destination', 'taken')} FROM look ORDER BY place)` : `'{}'::bigint[]`}
         AS "oldestReceivedAt", claim.*
     FROM (SELECT) one LEFT JOIN LATERAL (${CLAIMS}) claim ON true`,
  );
}

const [WHOLE, ONWARD] = [taking('claim_due', ''), taking('claim_due_onward', 'AND due_at >= look.since')];

/** What is left of each queue, and beside it each claim; one row with no claim where there is none. */
interface Row extends RowBeside {
  readonly alive: boolean;
  readonly nextDueAt: readonly (number | null)[];
  readonly oldestReceivedAt: readonly (number | null)[];
}

interface Waiting {
  readonly look: DueLook;
  /** Of the life that has asked. */
  readonly epoch: number;
  readonly found: (found: Found) => void;
  readonly failed: (error: unknown) => void;
}

/** Looks that share statements with others of their kind: thousands of destinations are tried again and again, each for itself. */
export class DueLooks {
  readonly #parts: { readonly database: Queries; readonly life: OwnLife };
  readonly #statement: Statement;
  #waiting: Waiting[] = [];
  /**
   * Destinations whose statement the server refused or ended, each of which is looked at alone until it does not: one that always
   * fails keeps none waiting.
   */
  readonly #apart = new Set<number>();
  #underWay = 0;
  #isScheduled = false;

  constructor(parts: { readonly database: Queries; readonly life: OwnLife }, kind: 'whole' | 'onward') {
    [this.#parts, this.#statement] = [parts, kind === 'whole' ? WHOLE : ONWARD];
  }

  look(look: DueLook): Promise<Found> {
    const { epoch } = this.#parts.life.require();
    return new Promise((found, failed) => {
      this.#waiting.push({ look, epoch, found, failed });
      this.#schedule();
    });
  }

  /** What else is asked by then shares its commit. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begin();
    });
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#underWay < MAX_UNDER_WAY) {
      this.#underWay += 1;
      void this.#answer(this.#next()).finally(() => {
        this.#underWay -= 1;
        this.#schedule();
      });
    }
  }

  /** The first that waits, with others of its life as long as there is room; of two for one destination, one. */
  #next(): readonly Waiting[] {
    const [first] = this.#waiting;
    const [now, later]: [Waiting[], Waiting[]] = [[], []];
    const destinations = new Set<number>();
    const isApart = ({ look }: Waiting): boolean => this.#apart.has(look.destination);
    const isAlone = first !== undefined && isApart(first);
    let bytes = 0;
    for (const one of this.#waiting) {
      const isFull = now.length === MAX_LOOKS || bytes + one.look.bytes > MAX_BYTES;
      const isOther = one.epoch !== first?.epoch || destinations.has(one.look.destination);
      if (one !== first && (isAlone || isFull || isOther || isApart(one))) later.push(one);
      else {
        now.push(one);
        destinations.add(one.look.destination);
        bytes += one.look.bytes;
      }
    }
    this.#waiting = later;
    return now;
  }

  async #answer(some: readonly Waiting[]): Promise<void> {
    try {
      const all = await this.#found(some);
      for (const [at, { look, found }] of some.entries()) {
        this.#apart.delete(look.destination);
        found(all(at));
      }
    } catch (error) {
      // A database that is away fails them all: they share statements again when it is back.
      if (error instanceof StatementRefused || error instanceof StatementEnded) this.#setApart(some);
      for (const { failed } of some) failed(error);
    }
  }

  #setApart(some: readonly Waiting[]): void {
    if (this.#apart.size > MAX_APART) this.#apart.clear();
    for (const { look } of some) this.#apart.add(look.destination);
  }

  async #found(some: readonly Waiting[]): Promise<(at: number) => Found> {
    const { database, life } = this.#parts;
    const { id, epoch } = life.require();
    // The next life would hold what nobody in it has asked for.
    if (some[0]?.epoch !== epoch) throw life.over();
    const looks = some.map(({ look }) => look);
    const rows = await database.run<Row>(this.#statement, [id, epoch, ...columnsOf(looks)]);
    const [first] = rows;
    if (first?.alive !== true) throw life.over();
    const claims = Map.groupBy(takenIn(rows), ({ destination }) => destination);
    return (at) => ({
      rows: claims.get(looks[at]?.destination ?? NaN) ?? [],
      nextDueAt: first.nextDueAt[at] ?? null,
      oldestReceivedAt: first.oldestReceivedAt[at] ?? null,
      epoch,
    });
  }
}

function columnsOf(looks: readonly DueLook[]): readonly string[] {
  const sinces = looks.flatMap(({ since }) => (since === undefined ? [] : [since]));
  return [
    numbers(looks.map(({ destination }) => destination)),
    numbers(looks.map(({ limit }) => limit)),
    numbers(looks.map(({ bytes }) => bytes)),
    numbers(looks.map(({ now }) => now)),
    ...(sinces.length === 0 ? [] : [numbers(sinces)]),
  ];
}
