import type { Event } from '../../../model/message.ts';
import type { AcceptRequest } from '../../delivery-storage.ts';
import { type Flat, flat, rowsIn } from './flat-rows.ts';

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
