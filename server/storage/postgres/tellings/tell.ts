import type { TellAnswer, Telling, TellingStorage, TellRequest } from '../../telling-storage.ts';
import type { Queries } from '../connection/database.ts';
import { reads, writes } from '../connection/statement.ts';
import { storable } from '../../../model/json-values.ts';
import { CARRIED, numbers } from '../deliveries/columns.ts';
import { dayOf } from '../deliveries/ids.ts';
import { isThere } from '../deliveries/new-rows.ts';
import { storeInDays } from '../jobs/days.ts';
import { bringForward, bringForwardLater } from './bring-forward.ts';
import { cancelTellings } from './cancel-tellings.ts';
import { getSync } from './syncs.ts';
import type { TellingParts } from './telling-operations.ts';
import { FORGET_USERS } from './told.ts';

/** Whoever erases users waits until this has ended, and finds what it told. */
const ERASURES = writes('hold_erasures', 'SELECT count FROM erasures FOR SHARE');
/** Whoever else has a step of this sync under way goes first. */
const LOCK = writes('lock_sync', 'SELECT state FROM syncs WHERE computation = $1 AND number = $2 FOR UPDATE');
const LAST = reads(
  'last_told',
  `SELECT user_id AS user, sync, delivery, held_in AS "heldIn" FROM told
   WHERE computation = $1 AND destination = $2 AND user_id = ANY($3::text[])`,
);
const STORE = writes(
  'store_tellings',
  `WITH telling AS MATERIALIZED (
     SELECT * FROM unnest($4::bigint[], $5::integer[], $6::bigint[], $7::bigint[], $8::text[], $9::integer[], $10::text[],
       $11::text[], $12::text[], $13::text[], $14::text[], $15::bigint[])
       telling (id, source, received_at, due_at, json, bytes, type, event, user_id, told_user, value, line)
   ), kept AS (
     INSERT INTO messages (id, source, received_at, replay, event)
     SELECT id, source, received_at, (SELECT coalesce(max(id), 0) FROM replay_jobs), json FROM telling
   ), waiting AS (
     INSERT INTO queue (round, due_at, set_at, ${CARRIED})
     SELECT 0, due_at, due_at, id, id, $2::integer, 0, 0, '[]', received_at,
       CASE WHEN line IS NULL THEN due_at ELSE now_ms() END, bytes, type, event, user_id, line FROM telling
   ), open AS (
     INSERT INTO tellings (delivery, computation, sync) SELECT id, $1::integer, $3::integer FROM telling
   )
   INSERT INTO told (computation, destination, user_id, value, sync, delivery, held_in)
   SELECT $1::integer, $2::integer, told_user, value, $3::integer, id, 0 FROM telling
   ON CONFLICT (computation, destination, user_id)
   DO UPDATE SET value = excluded.value, sync = excluded.sync, delivery = excluded.delivery, held_in = 0`,
);
const HOLD = writes(
  'hold_told',
  'UPDATE told SET held_in = $3 WHERE computation = $1 AND destination = $2 AND user_id = ANY($4::text[])',
);
const ADVANCE = writes(
  'advance_sync',
  'UPDATE syncs SET sent = sent + $3, held = held + $4, progress = $5 WHERE computation = $1 AND number = $2',
);

interface Last {
  readonly user: string;
  readonly sync: number;
  readonly delivery: number;
  readonly heldIn: number;
}

export function tell(parts: TellingParts): TellingStorage['tell'] {
  const { database, names, ids, time } = parts;
  return async (request) => {
    const { computation, destination, tellings } = request;
    await names.add([computation, destination, ...tellings.map(({ message }) => message.source)]);
    const next = await ids.reserve([...tellings.map(() => 1), 1], dayOf(time.now()));
    const reserved = tellings.map(() => next(1));
    const { answer, busy } = await storeInDays(database, () =>
      database.transaction((queries) => new Step(parts, queries, request).run(reserved)),
    ).catch((error: unknown) => {
      if (isThere(error)) ids.forget();
      throw error;
    });
    await bringForwardLater(database, names.idOf(destination), busy);
    return answer;
  };
}

/** One step of a sync, in its transaction. */
class Step {
  readonly #parts: TellingParts;
  readonly #queries: Queries;
  readonly #request: TellRequest;
  readonly #computation: number;
  readonly #destination: number;
  /** Lines in which something was cancelled. */
  #lines: readonly number[] = [];

  constructor(parts: TellingParts, queries: Queries, request: TellRequest) {
    [this.#parts, this.#queries, this.#request] = [parts, queries, request];
    this.#computation = parts.names.idOf(request.computation);
    this.#destination = parts.names.idOf(request.destination);
  }

  /** With the lines of which somebody else had the next. */
  async run(reserved: readonly number[]): Promise<{ readonly answer: TellAnswer; readonly busy: readonly number[] }> {
    const answer = await this.#tell(reserved);
    return { answer, busy: await bringForward(this.#queries, this.#destination, this.#lines) };
  }

  async #tell(reserved: readonly number[]): Promise<TellAnswer> {
    const { erasures, sync: number, tellings, forgotten, silenced, cursor } = this.#request;
    const [erased] = await this.#queries.run<{ readonly count: number }>(ERASURES);
    if (erased?.count !== erasures) return 'stale';
    const of = [this.#computation, number];
    const [state] = await this.#queries.run<{ readonly state: string }>(LOCK, of);
    if (state?.state !== 'RUNNING') return 'over';
    const untold = [...forgotten, ...silenced];
    const last = await this.#lastOf([...tellings.map(({ user }) => user), ...untold]);
    const open = tellings.filter(({ user }) => (last.get(storable(user))?.sync ?? 0) < number);
    const before = [...open.map(({ user }) => user), ...untold].flatMap((user) => last.get(storable(user)) ?? []);
    const { trying, lines } = await cancelTellings(
      this.#queries,
      before.map(({ delivery }) => delivery),
      this.#request.now,
    );
    this.#lines = lines;
    const isHeld = ({ user }: Pick<Telling, 'user'>): boolean => trying.has(last.get(storable(user))?.delivery ?? 0);
    const [held, told] = [open.filter(isHeld), open.filter((one) => !isHeld(one))];
    const wasHeld = ({ user }: Telling): boolean => last.get(storable(user))?.heldIn === number;
    if (told.length > 0) await this.#store(told, reserved);
    if (held.length > 0) await this.#queries.run(HOLD, [...this.#to(), number, usersOf(held)]);
    if (forgotten.length > 0) await this.#queries.run(FORGET_USERS, [...this.#to(), forgotten.map(storable)]);
    const newlyHeld = held.filter((one) => !wasHeld(one)).length - told.filter(wasHeld).length;
    await this.#queries.run(ADVANCE, [...of, told.length, newlyHeld, JSON.stringify(cursor)]);
    const sync = await getSync(this.#queries, this.#request.computation, number);
    const stillSent = silenced.filter((user) => isHeld({ user }));
    return sync === undefined ? 'over' : { sync, heldBack: [...held.map(({ user }) => user), ...stillSent] };
  }

  #to(): readonly [computation: number, destination: number] {
    return [this.#computation, this.#destination];
  }

  async #lastOf(users: readonly string[]): Promise<ReadonlyMap<string, Last>> {
    const rows = await this.#queries.run<Last>(LAST, [...this.#to(), users.map(storable)]);
    return new Map(rows.map((row) => [row.user, row]));
  }

  async #store(told: readonly Telling[], reserved: readonly number[]): Promise<void> {
    const { names, time } = this.#parts;
    const events = told.map(({ message }) => message.event);
    const texts = events.map((event) => JSON.stringify(event));
    await this.#queries.run(STORE, [
      ...this.#to(),
      this.#request.sync,
      numbers(reserved.slice(0, told.length)),
      numbers(told.map(({ message }) => names.idOf(message.source))),
      numbers(events.map(({ receivedAt }) => Date.parse(receivedAt))),
      numbers(told.map(({ message }) => time.toDatabase(message.receivedAt))),
      texts,
      numbers(texts.map(({ length }) => length)),
      events.map(({ type }) => type),
      events.map(({ event = '' }) => storable(event)),
      events.map(({ userId = '' }) => storable(userId)),
      usersOf(told),
      told.map(({ value }) => value),
      numbers(told.map(({ line = null }) => line)),
    ]);
  }
}

function usersOf(tellings: readonly Telling[]): readonly string[] {
  return tellings.map(({ user }) => storable(user));
}
