import type { Event } from '../../../model/message.ts';
import type { AcceptRequest } from '../../delivery-storage.ts';

/** An acceptance as it crosses to the thread: the event is already JSON. */
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
  /** How many of the routes, in their order, are its own. */
  readonly routes: number;
}

export interface RouteRow {
  /** Index into `names`. */
  readonly destination: number;
  readonly claimed: boolean;
  readonly line: number | null;
}

/** What audiences are to see of an acceptance. */
export interface CaughtText {
  /** Index into `acceptances`. */
  readonly index: number;
  readonly text: string;
}

export interface AcceptanceColumns {
  readonly key: string;
  readonly names: readonly string[];
  readonly acceptances: Columns<AcceptanceRow>;
  readonly routes: Columns<RouteRow>;
  /** Absent where audiences have no use for any. */
  readonly caught?: Columns<CaughtText>;
}

export function columnsOf({ key, acceptances }: Pick<AcceptRequest, 'key' | 'acceptances'>): AcceptanceColumns {
  const names = new Texts();
  const events = acceptances.map(({ message }) => message.event);
  const routes = acceptances.flatMap((acceptance) => acceptance.routes);
  return {
    key,
    acceptances: {
      source: acceptances.map(({ message }) => names.indexOf(message.source)),
      messageId: events.map(({ messageId }) => messageId),
      receivedAt: acceptances.map(({ message }) => message.receivedAt),
      acceptedAt: momentsOf(events),
      event: events.map((event) => JSON.stringify(event)),
      type: events.map(({ type }) => type),
      eventName: events.map(({ event = '' }) => event),
      userId: events.map(({ userId = '' }) => userId),
      routes: acceptances.map((acceptance) => acceptance.routes.length),
    },
    routes: {
      destination: routes.map(({ destination }) => names.indexOf(destination)),
      claimed: routes.map(({ claimed }) => claimed),
      line: routes.map(({ line = null }) => line),
    },
    names: names.all,
    ...(acceptances.some(({ caught }) => caught !== undefined) ? { caught: caughtOf(acceptances) } : {}),
  };
}

/** Events that come together are of one moment, which is read once. */
function momentsOf(events: readonly Pick<Event, 'receivedAt'>[]): readonly number[] {
  let [text, moment] = ['', Number.NaN];
  return events.map(({ receivedAt }) => {
    if (receivedAt !== text) [text, moment] = [receivedAt, Date.parse(receivedAt)];
    return moment;
  });
}

function caughtOf(acceptances: AcceptRequest['acceptances']): Columns<CaughtText> {
  const caught = acceptances.flatMap(({ caught: text }, index) => (text === undefined ? [] : [{ index, text }]));
  return { index: caught.map(({ index }) => index), text: caught.map(({ text }) => text) };
}

/**
 * Rows of one shape, column by column: what crosses to another thread is copied, and a copy of rows would name each of
 * their fields once a row.
 */
export type Columns<Row> = { readonly [Field in keyof Row]: readonly Row[Field][] };

/** The rows again; all columns have one length. */
export function rowsOf<Row extends object>(columns: Columns<Row>): Row[] {
  const entries: [string, readonly unknown[]][] = Object.entries(columns);
  const [, first = []] = entries[0] ?? [];
  return first.map((_, index) => {
    const row: Record<string, unknown> = {};
    for (const [field, column] of entries) row[field] = column[index];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each column holds the values of its field
    return row as Row;
  });
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
