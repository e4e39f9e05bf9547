import type { Event } from '../../../model/message.ts';
import type { AcceptRequest } from '../../delivery-storage.ts';
import type { StoredClaim } from '../../stored-claim.ts';

/**
 * Rows of one width, one behind the other in one list. What crosses to another thread is copied, and to read the names of
 * fields there, or a list for each of them, takes several times as long as the values.
 */
type Flat<Row extends readonly unknown[]> = readonly Row[number][];

function flat<Row extends readonly unknown[]>(rows: readonly Row[]): Flat<Row> {
  const values: Row[number][] = [];
  for (const row of rows) values.push(...row);
  return values;
}

/** The rows again. */
function rowsIn<Row extends readonly unknown[]>(values: Flat<Row>, width: Row['length']): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < values.length; at += width) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `flat` put them there
    rows.push(values.slice(at, at + width) as readonly unknown[] as Row);
  }
  return rows;
}

/** An acceptance as the thread has it: the event is already JSON. */
export interface AcceptanceRow {
  /** Index into `names`. */
  readonly source: number;
  readonly messageId: string;
  /** In steady time … */
  readonly receivedAt: number;
  /** … and by the wall, as the event itself has it. */
  readonly acceptedAt: number;
  readonly event: string;
  /** What the log is searched by; empty where the event has none. */
  readonly type: string;
  readonly eventName: string;
  readonly userId: string;
  readonly routes: readonly RouteRow[];
}

export interface RouteRow {
  /** Index into `names`. */
  readonly destination: number;
  readonly claimed: boolean;
  readonly line: number | null;
}

/** What audiences are to see of an acceptance. */
export interface CaughtText {
  /** Index into the acceptances. */
  readonly index: number;
  readonly text: string;
}

/** The fields of an acceptance in their order; the last is how many of the routes, in theirs, are its own. */
type AcceptanceFields = readonly [number, string, number, number, string, string, string, string, number];
type RouteFields = readonly [number, boolean, number | null];
type CaughtFields = readonly [number, string];

/** An accept as it crosses to the thread. */
export interface FlatAccept {
  readonly key: string;
  readonly names: readonly string[];
  readonly acceptances: Flat<AcceptanceFields>;
  readonly routes: Flat<RouteFields>;
  readonly caught: Flat<CaughtFields>;
}

/** And of each event so many characters of JSON. */
export function flatAccept({ key, acceptances }: Pick<AcceptRequest, 'key' | 'acceptances'>): {
  readonly accept: FlatAccept;
  readonly bytes: readonly number[];
} {
  const names = new Texts();
  const millisecondsOf = createTimeReader();
  const rows: AcceptanceFields[] = [];
  const routes: RouteFields[] = [];
  const caught: CaughtFields[] = [];
  const bytes: number[] = [];
  for (const [index, one] of acceptances.entries()) {
    const { source, receivedAt, event } = one.message;
    const { messageId, type, event: eventName = '', userId = '' } = event;
    const [text, acceptedAt] = [JSON.stringify(event), millisecondsOf(event)];
    const own = one.routes.length;
    bytes.push(text.length);
    rows.push([names.indexOf(source), messageId, receivedAt, acceptedAt, text, type, eventName, userId, own]);
    for (const { destination, claimed, line = null } of one.routes)
      routes.push([names.indexOf(destination), claimed, line]);
    if (one.caught !== undefined) caught.push([index, one.caught]);
  }
  const lists = { acceptances: flat(rows), routes: flat(routes), caught: flat(caught) };
  return { accept: { key, names: names.all, ...lists }, bytes };
}

/** Events that come together are of one moment, which is read once. */
function createTimeReader(): (event: Pick<Event, 'receivedAt'>) => number {
  let [text, moment] = ['', Number.NaN];
  return ({ receivedAt }) => {
    if (receivedAt !== text) [text, moment] = [receivedAt, Date.parse(receivedAt)];
    return moment;
  };
}

/** The acceptances of a call again, with their routes. */
export function acceptancesIn({ acceptances, routes: all }: FlatAccept): AcceptanceRow[] {
  const routes = rowsIn(all, 3).map(([destination, claimed, line]): RouteRow => ({ destination, claimed, line }));
  let next = 0;
  return rowsIn(acceptances, 9).map(
    ([source, messageId, receivedAt, acceptedAt, event, type, eventName, userId, own]) => ({
      source,
      messageId,
      receivedAt,
      acceptedAt,
      event,
      type,
      eventName,
      userId,
      routes: routes.slice(next, (next += own)),
    }),
  );
}

export function caughtIn({ caught }: FlatAccept): CaughtText[] {
  return rowsIn(caught, 2).map(([index, text]) => ({ index, text }));
}

/** Texts that come again and again, each once; what refers to them holds their index. */
class Texts {
  readonly #indexes = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(text, index);
    return index;
  }

  /** In the order of their indexes. */
  get all(): readonly string[] {
    return [...this.#indexes.keys()];
  }
}

/** The fields of a claim in their order. */
type ClaimFields = readonly [
  delivery: number,
  source: string,
  receivedAt: number,
  event: string,
  round: number,
  tries: number,
  earlierRounds: number,
  closed: string,
  line: number | null,
];

/** Claims as they come back from the thread, in the life of this number. */
export interface FlatClaims {
  readonly epoch: number;
  readonly claims: Flat<ClaimFields>;
}

export function flatClaims(rows: readonly StoredClaim[]): Flat<ClaimFields> {
  return flat(
    rows.map(({ delivery, source, receivedAt, event, round, tries, earlierRounds, closed, line }): ClaimFields => [
      delivery,
      source,
      receivedAt,
      event,
      round,
      tries,
      earlierRounds,
      closed,
      line,
    ]),
  );
}

export function claimsIn(claims: FlatClaims['claims']): StoredClaim[] {
  return rowsIn(claims, 9).map(
    ([delivery, source, receivedAt, event, round, tries, earlierRounds, closed, line]): StoredClaim => ({
      delivery,
      source,
      receivedAt,
      event,
      round,
      tries,
      earlierRounds,
      closed,
      line,
    }),
  );
}
