import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { deliveryId } from '../../../model/delivery.ts';
import type { Clock } from '../../../ports/clock.ts';
import { systemClock } from '../../../system-clock.ts';
import { AcceptKeys } from './accept-keys.ts';
import { accept } from './accept.ts';
import { backlogOperations } from './backlog.ts';
import { DiskRoom } from '../disk-room.ts';
import type { SqliteOperations, Witness } from './calls.ts';
import type { Operations } from '../../verbs.ts';
import { claim } from './claim.ts';
import type { FreeSpace } from '../free-space/free-space.ts';
import { addEventFunctions } from './event-functions.ts';
import { eraseUsers } from './erase-users.ts';
import { inboxOperations } from './inbox.ts';
import { logOperations } from './log-operations.ts';
import { type OwnLife, members, NODE } from './members.ts';
import { createNames } from './names.ts';
import { query } from './query.ts';
import { record } from './record.ts';
import { replayOperations } from './replay-operations.ts';
import { createSeen } from './seen.ts';
import { setClock } from './set-clock.ts';
import { purge } from './purge.ts';
import { StoredBytes } from './stored-bytes.ts';
import { addCounts } from './tally.ts';
import { tellingOperations } from './telling-operations.ts';
import { useOnce } from './used-ids.ts';

/** The operations of the store on an open database. Each runs within the transaction of its group. */
export function createOperations(
  database: DatabaseSync,
  space: Pick<FreeSpace, 'pages' | 'wipe'>,
  time: Pick<Clock, 'now' | 'steady'> = systemClock,
): { operations: SqliteOperations; witness: Witness; bytes: StoredBytes; room: DiskRoom } {
  addEventFunctions(database);
  const clock = setClock(database, time);
  const [names, seen] = [createNames(database), createSeen(database)];
  const keys = new AcceptKeys();
  const bytes = new StoredBytes(database, names);
  const room = new DiskRoom(dirname(database.location() ?? '.'), database);
  const { life, operations: membership } = members(database);
  const parts = [seen, { committed: () => undefined, rolledBack: () => names.forget() }, keys, life, clock, bytes];
  const operations: SqliteOperations = {
    accept: accept({ database, names, seen, keys, life, bytes }),
    claim: claim(database, names, life),
    record: record({ database, names, life, bytes, room }),
    ...holding(database, life),
    ...backlogOperations(database),
    ...logOperations(database, names),
    addCounts: addCounts(database, names),
    useOnce: useOnce(database),
    ...replayOperations(database, names),
    ...alone(life),
    purge: purge(database, seen, bytes),
    eraseUsers: eraseUsers(database, space),
    ...inboxOperations(database),
    ...tellingOperations(database, names, bytes),
    ...membership,
  };
  return { operations, bytes, room, witness: witnessOf([seen, clock, bytes], parts) };
}

/** The lock of the file is the lease: it ends with the process, and nobody else has one. */
function alone(life: OwnLife): Pick<Operations, 'leaseJob' | 'exchange'> {
  return {
    leaseJob: () => true,
    exchange: ({ waits }) => ({ waits, circuits: [], members: [{ node: NODE, epoch: life.epoch }] }),
  };
}

function witnessOf(
  writing: readonly Pick<Witness, 'committing'>[],
  parts: readonly Omit<Witness, 'committing'>[],
): Witness {
  return {
    committing: () => writing.forEach((part) => part.committing()),
    committed: () => parts.forEach((part) => part.committed()),
    rolledBack: () => parts.forEach((part) => part.rolledBack()),
  };
}

/** Due at once: what was postponed, as it was behind another, is not behind any more. */
function release(database: DatabaseSync, life: OwnLife): Operations['release'] {
  const free = database.prepare(
    "UPDATE deliveries SET state = 'pending', due_at = set_at WHERE id = ? AND round = ? AND state = 'trying'",
  );
  return (claims) =>
    claims.flatMap((fence, index) => {
      const isHeld = life.has(fence) && free.run(Number(fence.delivery), fence.round).changes > 0;
      return isHeld ? [] : [index];
    });
}

function held(database: DatabaseSync, life: OwnLife): Operations['held'] {
  const page = query<{ readonly id: number; readonly round: number; readonly destination: string }>(
    database,
    `SELECT d.id, d.round, n.name AS destination FROM deliveries d JOIN names n ON n.id = d.destination
     WHERE d.state = 'trying' AND d.id > ? ORDER BY d.id LIMIT ?`,
  );
  return ({ after = '0', limit }) => {
    // What was taken before this life began is freed by its join.
    const rows = life.epoch === 0 ? [] : page.all(Number(after), limit);
    const { epoch } = life;
    const all = rows.map(({ id, ...row }) => ({ delivery: deliveryId(String(id)), node: NODE, epoch, ...row }));
    return { held: all, next: rows.length === limit ? all.at(-1)?.delivery : undefined };
  };
}

function holding(database: DatabaseSync, life: OwnLife): Pick<Operations, 'release' | 'held'> {
  return { release: release(database, life), held: held(database, life) };
}
