import type { DatabaseSync } from 'node:sqlite';
import type { Telling } from '../../telling-storage.ts';
import type { Operations } from '../../verbs.ts';
import { storeMessage } from './accept.ts';
import { type CancelAt, cancelWaiting } from './cancel-waiting.ts';
import type { Names } from './names.ts';
import { query } from './query.ts';
import type { StoredBytes } from './stored-bytes.ts';
import { findSync } from './syncs.ts';
import { tallies } from './tally.ts';
import { countErasures } from './told.ts';

/** What a destination was told of a user last, by numbers. */
interface Last {
  readonly sync: number;
  readonly delivery: number;
  /** The sync that could not tell it yet; 0 where there is none. */
  readonly heldIn: number;
  /** Of the delivery; null once it is gone. */
  readonly state: string | null;
}

export function tell(database: DatabaseSync, names: Names, bytes: Pick<StoredBytes, 'addEvents'>): Operations['tell'] {
  const erasures = countErasures(database);
  const find = findSync(database);
  const tellOne = telling(database, bytes);
  const forget = forgetUser(database);
  const silence = silenceUser(database);
  const newTally = tallies(database, names);
  const advance = database.prepare(`
    UPDATE syncs SET sent = sent + ?, held = held + ?, progress = ? WHERE computation = ? AND number = ?`);
  return (request) => {
    const { sync, tellings, forgotten, silenced, cursor, now } = request;
    const [computation, destination] = [names.idOf(request.computation), names.idOf(request.destination)];
    if (erasures() !== request.erasures) return 'stale';
    if (find(computation, sync)?.state !== 'RUNNING') return 'over';
    const tally = newTally();
    const onCancel = (): void => tally.count(request.destination, now, 'cancelled');
    const to = { computation, destination, sync, now, onCancel };
    const told = tellings.map((one) => tellOne(one, names.idOf(one.message.source), to));
    for (const user of forgotten) forget(user, to);
    const stillSent = silenced.filter((user) => silence(user, to) === 'trying');
    tally.write();
    const sum = (count: keyof Counted): number => told.reduce((total, one) => total + one[count], 0);
    advance.run(sum('sent'), sum('held'), JSON.stringify(cursor), computation, sync);
    const heldBack = tellings.filter((_, index) => told[index]?.isHeldBack).map(({ user }) => user);
    const after = find(computation, sync);
    return after === undefined ? 'over' : { sync: after, heldBack: [...heldBack, ...stillSent] };
  };
}

interface To extends CancelAt {
  readonly computation: number;
  readonly sync: number;
}

/** What a sync counts of one telling: of who was held back before and is told now, one less is held. */
interface Counted {
  readonly sent: number;
  readonly held: number;
}

interface Told extends Counted {
  readonly isHeldBack: boolean;
}

const TOLD_BEFORE: Told = { sent: 0, held: 0, isHeldBack: false };

function telling(
  database: DatabaseSync,
  bytes: Pick<StoredBytes, 'addEvents'>,
): (one: Telling, source: number, to: To) => Told {
  const last = lastOf(database);
  const cancel = cancelWaiting(database);
  const store = storeMessage(database);
  const keep = database.prepare(`
    INSERT INTO told (computation, destination, user_id, value, sync, delivery, held_in) VALUES (?, ?, ?, ?, ?, ?, 0)
    ON CONFLICT DO UPDATE SET value = excluded.value, sync = excluded.sync, delivery = excluded.delivery, held_in = 0`);
  const hold = database.prepare(
    'UPDATE told SET held_in = ? WHERE computation = ? AND destination = ? AND user_id = ?',
  );
  const open = database.prepare('INSERT INTO tellings (delivery, computation, sync) VALUES (?, ?, ?)');
  return ({ user, value, message, line = null }, source, to) => {
    const { computation, destination, sync } = to;
    const before = last.get(computation, destination, user);
    if (before !== undefined && before.sync >= sync) return TOLD_BEFORE;
    const wasHeld = before?.heldIn === sync ? 1 : 0;
    if (before?.state === 'trying') {
      hold.run(sync, computation, destination, user);
      return { sent: 0, held: 1 - wasHeld, isHeldBack: true };
    }
    if (before?.state === 'pending') cancel(before.delivery, to);
    const { event, receivedAt } = message;
    const { type, event: eventName = '', userId = '' } = event;
    const acceptedAt = Date.parse(event.receivedAt);
    const row = { receivedAt, acceptedAt, event: JSON.stringify(event), type, eventName, userId };
    bytes.addEvents(message.source, acceptedAt, { characters: row.event.length, deliveries: 1 });
    const [stored] = store(row, source, [{ destination, claimed: false, line }]);
    const delivery = stored?.id ?? 0;
    keep.run(computation, destination, user, value, sync, delivery);
    open.run(delivery, computation, sync);
    return { sent: 1, held: -wasHeld, isHeldBack: false };
  };
}

function forgetUser(database: DatabaseSync): (user: string, to: To) => void {
  const silence = silenceUser(database);
  const remove = database.prepare('DELETE FROM told WHERE computation = ? AND destination = ? AND user_id = ?');
  return (user, to) => {
    silence(user, to);
    remove.run(to.computation, to.destination, user);
  };
}

/** Answers the state of what was told last, as it was. */
function silenceUser(database: DatabaseSync): (user: string, to: To) => Last['state'] | undefined {
  const last = lastOf(database);
  const cancel = cancelWaiting(database);
  return (user, to) => {
    const before = last.get(to.computation, to.destination, user);
    if (before?.state === 'pending') cancel(before.delivery, to);
    return before?.state;
  };
}

function lastOf(database: DatabaseSync): ReturnType<typeof query<Last>> {
  return query<Last>(
    database,
    `SELECT t.sync, t.delivery, t.held_in AS heldIn, d.state FROM told t LEFT JOIN deliveries d ON d.id = t.delivery
     WHERE t.computation = ? AND t.destination = ? AND t.user_id = ?`,
  );
}
