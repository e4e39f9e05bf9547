import { EventEmitter } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { deliveryId } from '../../model/delivery.ts';
import type { SqliteOperations } from '../../storage/file/deliveries/calls.ts';
import { openDatabase } from '../../storage/file/deliveries/database.ts';
import { createOperations } from '../../storage/file/deliveries/operations.ts';
import { type Engine, run, type ToThread } from '../../storage/file/deliveries/serve.ts';
import { sqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { SqliteThread } from '../../storage/file/deliveries/sqlite-thread.ts';
import { DiskRoom } from '../../storage/file/disk-room.ts';
import { freeSpaceOf } from '../../storage/file/free-space/free-space.ts';
import { addJsonFunctions } from '../../storage/profiles/sqlite/dialect.ts';
import { createProfileOperations } from '../../storage/profiles/sqlite/operations.ts';
import { profilesBeside } from '../../storage/profiles/sqlite/profiles.ts';
import { prepareProfiles } from '../../storage/profiles/sqlite/schema.ts';
import { type Verb, type VERBS } from '../../storage/verbs.ts';
import { systemClock } from '../../system-clock.ts';
import { askAll } from '../conformance/all-asked.ts';
import { HOMES, IN_SQLITE, muchMeasured, muchStored } from '../support/much-stored.ts';

/** More than any verb looks at, and three times as much. */
const [SOME, MORE] = [2_500, 7_500];
/** A verb may take so many steps more, or times as many; each row takes some ten. */
const [STEPS, TIMES] = [1_000, 1.2];
/** Verbs that are meant to take more where more is stored, each with the reason. */
const GROWING: Readonly<Record<string, string>> = {
  clearInbox: 'names of sources of one workspace, once for each lot',
  readInbox: 'the oldest of each source of one workspace, once for each lot',
  toldDestinations: 'destinations that an audience has told something',
  useOnce: 'a source has ten thousand at most',
};

test('SAFE-2: what verbs of a data folder do does not grow with what one workspace has stored, nor with its sources and destinations', async () => {
  // What ends after some milliseconds would end earlier on a busy machine.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const [some, more] = [await stepsOf(SOME), await stepsOf(MORE)];
  vi.restoreAllMocks();
  const grown = [...more].filter(([name, steps]) => steps > STEPS + TIMES * (some.get(name) ?? 0));
  expect(grown.map(([name]) => name).toSorted()).toEqual(Object.keys(GROWING).toSorted());
}, 120_000);

test('SAFE-2: what one workspace caught is read and cleared, and its users are erased, in steps that do not grow with its destinations, nor with audiences that are gone', () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  // Of names that could be taken for parts of others.
  const of = { workspace: 'workspaces/destinations', after: 0, upTo: 9 };
  const source = `${of.workspace}/sources/destinations`;
  const stepsWith = (destinations: number): object => {
    const names = Array.from(
      { length: destinations },
      (_, index) => `('${source}/destinations/${index}'), ('${of.workspace}/audiences/${index}')`,
    );
    const store = deliveriesWith([
      `INSERT INTO names (name) VALUES ('${source}'), ('${source}0'), ${names.join()}`,
      "INSERT INTO inbox (source, caught) VALUES (1, '1'), (2, '2')",
      ...[`${of.workspace}/audiences/x`, `${of.workspace}/computed-traits/x`].map(
        (name, index) => `INSERT INTO names (id, name) VALUES (${9_999 - index}, '${name}');
          INSERT INTO told (computation, destination, user_id, value, sync, delivery, held_in)
          SELECT ${9_999 - index}, id, 'ada', 'true', 1, id, 0 FROM names WHERE id IN (3, 5)`,
      ),
    ]);
    const steps: Steps = new Map();
    const caught = perform(store, { name: 'readInbox', argument: { after: 0, limit: 9, of } }, steps);
    expect(caught).toMatchObject([{ source }, { source: `${source}0` }]);
    perform(store, { name: 'clearInbox', argument: { upTo: 9, of } }, steps);
    expect(perform(store, { name: 'readInbox', argument: { after: 0, limit: 9 } }, new Map())).toEqual([]);
    const ofUser = { scope: of.workspace, userIds: ['ada'], now: 1, limit: 9 };
    for (let after: unknown; !String(after).startsWith('free');)
      after = Reflect.get(
        Object(perform(store, { name: 'eraseUsers', argument: { ...ofUser, after } }, steps)),
        'next',
      );
    const left = { computation: `${of.workspace}/audiences/x`, destination: `${source}/destinations/0`, limit: 9 };
    expect(perform(store, { name: 'told', argument: left }, new Map())).toMatchObject({ told: [] });
    expect(perform(store, { name: 'toldDestinations', argument: left }, new Map())).toEqual([]);
    const trait = { computation: `${of.workspace}/computed-traits/x` };
    expect(perform(store, { name: 'toldDestinations', argument: trait }, new Map())).toEqual([]);
    return Object.fromEntries(steps);
  };
  expect(stepsWith(3_000)).toEqual(stepsWith(2_000));
  vi.restoreAllMocks();
});

test('AUD-9: of any number of replays, and beside any number of destinations, those that name a user are removed', () => {
  const scope = 'workspaces/w';
  const users = ['ada', 'bob', 'nul\0 and more', 'nul\0 and another'];
  const of = Array.from({ length: 6_000 }, (_, n) => [
    n < 3_000 ? 1 : n - 2_000,
    n % 5 < 4 ? { userId: users[n % 5] } : {},
  ]);
  const store = deliveriesWith([
    `INSERT INTO names (name) WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 9000)
       SELECT CASE n % 3 WHEN 0 THEN 'workspaces/w0' ELSE '${scope}' END || '/sources/s/destinations/' || n FROM n`,
    `INSERT INTO replay_jobs (destination, filter, state, dry_run, per_second, created_at, examined, matched, at_received, at_id, last_id)
       SELECT value ->> 0, value -> 1, 'running', 0, 1, 1, 0, 0, 0, 0, 0 FROM json_each('${JSON.stringify(of)}')`,
  ]);
  let after: unknown;
  do
    after = Reflect.get(
      Object(
        perform(
          store,
          { name: 'eraseUsers', argument: { scope, userIds: ['ada', users[2]], now: 1, limit: 9, after } },
          new Map(),
        ),
      ),
      'next',
    );
  while (String(after).startsWith('replays'));
  const left = Object(perform(store, { name: 'runningReplays', argument: undefined }, new Map()));
  const isTheirs = (destination: unknown, userId: unknown): boolean =>
    Number(destination) % 3 > 0 && [users[0], users[2]].includes(String(userId));
  expect(left.length).toBe(
    of.filter(([destination, filter]) => !isTheirs(destination, Reflect.get(Object(filter), 'userId'))).length,
  );
});

type Reads = { [V in Verb]: (typeof VERBS)[V] extends 'read' ? V : never }[Verb];
const [DESTINATION, COMPUTATION] = ['workspaces/w/sources/s/destinations/d', 'workspaces/w/audiences/x'];
const HOURS = { from: 0, to: 9 };
/** Of what was never stored. */
const READS: { readonly [V in Reads]: Parameters<SqliteOperations[V]>[0] } = {
  held: { limit: 9 },
  backlog: { limit: 9 },
  countBacklog: { destinations: [DESTINATION], limit: 9 },
  trying: undefined,
  list: { destination: DESTINATION, filter: {}, limit: 9 },
  read: { destination: DESTINATION, delivery: deliveryId('1') },
  counts: { destination: DESTINATION, ...HOURS },
  sums: { destinations: [DESTINATION], ...HOURS },
  getReplay: { destination: DESTINATION, id: 1 },
  listReplays: { destination: DESTINATION, after: 0, limit: 9 },
  runningReplays: undefined,
  members: undefined,
  readInbox: { after: 0, limit: 9, of: { workspace: 'workspaces/w', upTo: 9 } },
  lastCaught: undefined,
  openSyncs: { computation: COMPUTATION },
  listSyncs: { computations: [COMPUTATION], limit: 9 },
  getSync: { computation: COMPUTATION, number: 1 },
  told: { computation: COMPUTATION, destination: DESTINATION, limit: 9 },
  toldDestinations: { computation: COMPUTATION },
  waiting: { destination: DESTINATION, limit: 9 },
};

test('SAFE-2: what is read of a data folder writes nothing, also where it was never stored', () => {
  const store = deliveriesWith([]);
  for (const [name, argument] of Object.entries(READS)) {
    perform(store, { name, argument }, new Map());
    expect([name, store.engine.database.prepare('SELECT name FROM names').all()]).toEqual([name, []]);
  }
});

type Steps = Map<string, number>;

/** The most steps that SQLite takes for each verb, when all that a data folder can be asked is asked of workspaces that have so much. */
async function stepsOf(count: number): Promise<Steps> {
  const steps: Steps = new Map();
  const thread = new SqliteThread(besideOf(deliveriesWith(muchStored(count, IN_SQLITE)), steps));
  const storage = sqliteStorage(thread);
  const measured = profilesWith(count);
  const profiles = await profilesBeside(storage, async (name, argument) => {
    const answer = perform(measured, { name, argument }, steps);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the operation of the name answers it
    return answer as never;
  });
  await storage.join({ now: systemClock.steady() });
  steps.clear();
  const verbs = { deliveries: storage, log: storage, counting: storage, usedIds: storage, jobs: storage };
  for (const workspace of HOMES)
    await askAll({ ...verbs, tellings: storage, members: storage, profiles }, workspace, 0);
  // Part by part, and none is left out.
  expect(await storage.openSyncs()).toHaveLength(3 * (count + 1) + HOMES.length);
  return steps;
}

interface Watched {
  readonly engine: Engine<object>;
  readonly statements: () => readonly StatementSync[];
}

function deliveriesWith(stored: readonly string[]): Watched {
  const database = openDatabase(':memory:');
  addFunctions(database);
  for (const one of stored) database.exec(one);
  return watched(database, () => {
    const space = freeSpaceOf(database);
    return { database, space, format: 0, ...createOperations(database, space) };
  });
}

function profilesWith(count: number): Watched {
  const database = openDatabase(':memory:', prepareProfiles);
  addFunctions(database);
  addJsonFunctions(database);
  database.exec(muchMeasured(count));
  return watched(database, () => {
    const space = freeSpaceOf(database);
    return { database, space, format: 0, ...createProfileOperations(database, space, new DiskRoom('.', database)) };
  });
}

/** Those of PostgreSQL with which much is stored. */
function addFunctions(database: DatabaseSync): void {
  database.function('now_ms', () => Date.now());
  database.function('md5', (text) => String(text).padStart(32, '0'));
  database.function('decode', (text, _encoding) => Buffer.from(String(text), 'hex'));
}

function watched(database: DatabaseSync, open: () => Engine<object>): Watched {
  const prepare = vi.spyOn(database, 'prepare');
  const engine = open();
  return { engine, statements: () => prepare.mock.results.map(({ value }) => value) };
}

/** Does what the thread of a store would do, call by call. */
function besideOf(watchedOne: Watched, steps: Steps): Worker {
  const thread = Object.assign(new EventEmitter(), {
    postMessage(message: ToThread) {
      if (typeof message === 'string') return;
      const results = message.calls.map((call) => perform(watchedOne, call, steps));
      queueMicrotask(() => thread.emit('message', { results }));
    },
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a worker nothing else is used
  return thread as unknown as Worker;
}

function perform({ engine, statements }: Watched, call: Parameters<typeof run>[1][number], steps: Steps): unknown {
  for (const statement of statements()) Reflect.apply(Reflect.get(statement, 'resetStats'), statement, []);
  const done = run(engine, [call]);
  if ('error' in done) throw new Error(`${call.name}: ${done.error}`);
  const taken = statements().reduce(
    (sum, one) => sum + Number(Reflect.apply(Reflect.get(one, 'stat'), one, ['vmStep'])),
    0,
  );
  steps.set(call.name, Math.max(taken, steps.get(call.name) ?? 0));
  return done.results[0];
}
