import { StoreUnavailable } from '../../config-store.ts';
import { OutcomeUnknown } from '../../errors.ts';
import { fromBytes } from '../../fingerprint.ts';
import { RememberedIds } from './remembered-ids.ts';
import type { Database } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';
import { storeInDays } from '../jobs/days.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';
import { type AcceptAnswer, type AcceptCall, callOf } from './accept-statement.ts';
import {
  caughtColumns,
  columnsOf,
  type Gathered,
  type NewMessage,
  type NewRequest,
  type PlacedMessage,
  type Routing,
} from './gathered.ts';
import { dayOf, type Ids } from './ids.ts';
import type { KnownIds } from './known-ids.ts';
import type { Holder, OwnLife } from './life.ts';
import { type Inserts, isThere } from './new-rows.ts';

/** What was stored of a message. */
export interface StoredMessage {
  /** Of its deliveries, in the order of its routes. */
  readonly ids: readonly number[];
  /** Characters of the event's JSON. */
  readonly bytes: number;
}

/** What became of a request; a message that is null is a duplicate. `again`: nothing of it is stored, for a reason that is none of its own. */
export type Outcome =
  | { readonly is: 'stored'; readonly messages: readonly (StoredMessage | null)[]; readonly holder: Holder | undefined }
  | { readonly is: 'stale' | 'over' | 'again' };

export interface GroupParts {
  readonly database: Database;
  readonly inserts: Inserts;
  readonly names: Names;
  readonly ids: Ids;
  readonly known: KnownIds;
  readonly life: OwnLife;
  readonly time: DatabaseTime;
}

const STORED = reads('read_commit', 'SELECT fingerprints FROM commits WHERE id = $1');

/** Requests that are stored by one statement. Whoever asks again after a lost answer asks with the same ids. */
export class AcceptGroup {
  readonly #parts: GroupParts;
  readonly size: number;
  /** Dropped with `#sent`: the group is remembered for much longer. */
  #requests: readonly NewRequest[];
  /** What is sent; made with the first try, and dropped once the outcome is known. */
  #sent: { readonly gathered: Gathered; readonly call: AcceptCall } | undefined;
  #outcomes: Promise<readonly Outcome[]> | undefined;
  #isUnknown = false;

  constructor(parts: GroupParts, requests: readonly NewRequest[]) {
    [this.#parts, this.#requests, this.size] = [parts, requests, requests.length];
  }

  /** Of the request at this place. Rejects with OutcomeUnknown: then whoever calls next asks the database again. */
  async outcome(index: number): Promise<Outcome> {
    const outcomes = await (this.#outcomes ??= this.#store());
    return outcomes[index] ?? { is: 'again' };
  }

  async #store(): Promise<readonly Outcome[]> {
    try {
      const { gathered, call } = (this.#sent ??= await this.#gather());
      const { database, inserts } = this.#parts;
      if (gathered.timeline !== database.timeline()) return await this.#leaveBehind(gathered);
      const [answer] = await storeInDays(database, () =>
        inserts.run<AcceptAnswer>(call.statement, call.values, this.#isUnknown),
      );
      if (answer === undefined) throw new StoreUnavailable('the database did not say what it stored');
      const before = this.#isUnknown && !answer.stored ? await this.#storedBefore(gathered) : undefined;
      const outcomes = before ?? this.#outcomesOf(gathered, answer);
      this.#drop();
      return outcomes;
    } catch (error) {
      if (isThere(error)) throw this.#idsAreTaken();
      const unknown = this.#unknownAfter(error);
      if (unknown === undefined) this.#drop();
      else [this.#isUnknown, this.#outcomes] = [true, undefined];
      throw unknown ?? error;
    }
  }

  /** Of a try that stored nothing, nothing follows for the one before, whose answer was lost. */
  #unknownAfter(error: unknown): OutcomeUnknown | undefined {
    if (error instanceof OutcomeUnknown) return error;
    if (!this.#isUnknown || !(error instanceof StoreUnavailable)) return undefined;
    return new OutcomeUnknown(error.message, { cause: error });
  }

  /** After a failover to a server that was behind, or a restored backup, numbers are given once more. Nothing was stored. */
  #idsAreTaken(): StoreUnavailable {
    this.#parts.ids.forget();
    this.#drop();
    return new StoreUnavailable(
      'the database was put back to an earlier state, and gave numbers once more: send it again',
    );
  }

  /** Numbers that another server gave are no numbers of this one: what is not there is gathered anew. */
  async #leaveBehind(gathered: Gathered): Promise<readonly Outcome[]> {
    // Whoever frees what the life of before holds sends it.
    const before = this.#isUnknown ? await this.#storedBefore({ ...gathered, holder: undefined }) : undefined;
    const outcomes = before ?? this.#requests.map((): Outcome => ({ is: 'again' }));
    this.#drop();
    return outcomes;
  }

  #drop(): void {
    [this.#sent, this.#requests] = [undefined, []];
  }

  async #gather(): Promise<{ readonly gathered: Gathered; readonly call: AcceptCall }> {
    const { database, names, ids, known, life, time } = this.#parts;
    const counts = this.#requests.flatMap(({ messages }) => messages.map(({ acceptance }) => acceptance.routes.length));
    const next = await ids.reserve([1, ...counts], dayOf(time.now()));
    const timeline = database.timeline();
    if (life.holder !== undefined) life.require();
    const routings = routingsOf(this.#requests);
    const messages = this.#requests.flatMap((one) => {
      const identities = new Set<string>();
      const isNew = (identity: string): boolean => !identities.has(identity) && identities.add(identity).size > 0;
      const routing = placeIn(routings, one);
      return one.messages
        .filter(({ identity, fingerprint }) => isNew(identity) && !known.has(fingerprint))
        .map((message): PlacedMessage => ({ message, routing, ids: idsOf(message, next) }));
    });
    const gathered = { commit: next(1), holder: life.holder, knownUntil: known.until, routings, messages, timeline };
    return { gathered, call: callOf(columnsOf(gathered, names, time), caughtColumns(messages)) };
  }

  #outcomesOf(
    { routings, messages, holder }: Gathered,
    { alive, known, current, fresh }: AcceptAnswer,
  ): readonly Outcome[] {
    if (!known) return this.#requests.map(() => ({ is: 'again' }));
    if (!alive) return this.#requests.map(() => ({ is: 'over' }));
    const isFresh = new Set(fresh);
    const stored = messages.filter((_, index) => isFresh.has(index + 1));
    for (const { message } of stored) this.#parts.known.add(message.fingerprint, this.#parts.time.now());
    const of = new Map(stored.map(({ message, ids }) => [message, ids]));
    const isCurrent = new Set(current);
    return this.#requests.map((one) => {
      const routing = placeIn(routings, one);
      return isCurrent.has(routing) ? storedOf(one, of, holder) : { is: 'stale' };
    });
  }

  /** What the try before stored after all. A request of which nothing is among it has not been stored. */
  async #storedBefore({ commit, messages, holder }: Gathered): Promise<readonly Outcome[] | undefined> {
    const [row] = await this.#parts.database.run<{ readonly fingerprints: Buffer }>(STORED, [commit]);
    if (row === undefined) return undefined;
    const before = new RememberedIds();
    for (const fingerprint of fromBytes(row.fingerprints)) before.add(fingerprint, 0);
    const stored = messages.filter(({ message }) => before.has(message.fingerprint));
    const of = new Map(stored.map(({ message, ids }) => [message, ids]));
    return this.#requests.map((one) =>
      one.messages.some((message) => of.has(message)) ? storedOf(one, of, holder) : { is: 'again' },
    );
  }
}

function routingsOf(requests: readonly NewRequest[]): readonly Routing[] {
  const routings: Routing[] = [];
  for (const one of requests) {
    if (!routings.some((routing) => isRoutedBy(one, routing))) routings.push(one.request);
  }
  return routings;
}

/** They follow each other. */
function idsOf({ acceptance: { routes } }: NewMessage, next: (count: number) => number): readonly number[] {
  const first = next(routes.length);
  return routes.map((_, index) => first + index);
}

/** From 1 on, as the database counts. */
function placeIn(routings: readonly Routing[], request: NewRequest): number {
  return routings.findIndex((routing) => isRoutedBy(request, routing)) + 1;
}

function isRoutedBy({ request }: NewRequest, { workspace, version }: Routing): boolean {
  return request.workspace === workspace && request.version === version;
}

function storedOf(
  { messages }: NewRequest,
  ids: ReadonlyMap<NewMessage, readonly number[]>,
  holder: Holder | undefined,
): Outcome {
  const stored = messages.map((message): StoredMessage | null => {
    const own = ids.get(message);
    return own === undefined ? null : { ids: own, bytes: message.text.length };
  });
  return { is: 'stored', messages: stored, holder };
}
