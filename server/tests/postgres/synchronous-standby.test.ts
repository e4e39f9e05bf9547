import { afterEach, expect, test, vi } from 'vitest';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { type Database, DEADLINE_MS, openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script, writes } from '../../storage/postgres/connection/statement.ts';
import { accepted, NOW } from '../conformance/delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { type OpenNode, postgresNodes, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { schemaWithTables } from '../support/postgres-schema.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { CANCEL, expectStandbys, WAITING } from '../support/postgres-standby.ts';

const ADD = writes('add_thing', 'INSERT INTO things VALUES ($1)');
const LIST = reads('list_things', 'SELECT id FROM things ORDER BY id');

afterEach(() => vi.useRealTimers());

describeWithPostgres('a synchronous standby that is gone', () => {
  test('NODE-1: makes a write wait, whose outcome is unknown after the deadline, and nobody cancels the wait', async () => {
    await using world = await lonelyPrimary();
    const { database, observer } = world;
    await database.run(LIST);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcome = errorOf(database.run(ADD, [1]));
    await expect.poll(() => observer.run(WAITING)).toHaveLength(1);
    vi.advanceTimersByTime(DEADLINE_MS);
    expect(await outcome).toBeInstanceOf(OutcomeUnknown);
    vi.useRealTimers();
    expect([await observer.run(WAITING), await observer.run(LIST)]).toEqual([[{ pid: expect.any(Number) }], []]);
    await world.expect('');
    await expect.poll(() => observer.run(LIST)).toEqual([{ id: 1 }]);
  });

  test('NODE-1: a wait that the server ends is no success, in a statement and at the end of a transaction', async () => {
    await using world = await lonelyPrimary();
    const { database, observer } = world;
    const alone = errorOf(database.run(ADD, [1]));
    await cancelWaiting(world);
    expect(await alone).toBeInstanceOf(OutcomeUnknown);
    const together = errorOf(database.transaction((queries) => queries.run(ADD, [2])));
    await cancelWaiting(world);
    expect(await together).toBeInstanceOf(OutcomeUnknown);
    // This server has them, but a standby would not.
    expect(await observer.run(LIST)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('NODE-1: a duplicate is answered once the standby has what it repeats, whoever found that stored', async () => {
    await using opened = new AsyncDisposableStack();
    const server = await startPostgres();
    opened.defer(() => server.stop());
    const nodes = opened.use(await postgresNodes(NOW, stillPlace(schemaWithTables(server.url()))));
    const [one, two] = [await nodes.open('one'), await nodes.open('two')];
    await send(one);
    await expectStandbys(server, nodes.superuser, 'nobody');
    // One knows it, the other finds it; a commit of before may be on no standby.
    const answers = Promise.all([send(one), send(two)]);
    await expect.poll(() => nodes.superuser.run(WAITING)).toHaveLength(2);
    await expectStandbys(server, nodes.superuser, '');
    expect(await answers).toEqual([['duplicate'], ['duplicate']]);
  });
});

function send({ verbs }: OpenNode): Promise<unknown> {
  return verbs.accept(batchOf([accepted('m1', false)]));
}

function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => error);
}

interface LonelyPrimary extends AsyncDisposable {
  readonly database: Database;
  readonly observer: Database;
  /** Which standbys the primary waits for. */
  expect(names: string): Promise<void>;
}

/** A primary that waits for a standby that nobody is. */
async function lonelyPrimary(): Promise<LonelyPrimary> {
  await using opened = new AsyncDisposableStack();
  const server = await startPostgres();
  opened.defer(() => server.stop());
  const [database, observer] = [openDatabase(readAddress(server.url())), openDatabase(readAddress(server.url()))];
  opened.defer(async () => void (await Promise.all([database.close(), observer.close()])));
  await observer.run(script('CREATE SCHEMA waybill; CREATE TABLE waybill.things (id integer PRIMARY KEY)'));
  // Of connections that are made from here on: its role is to hear of errors alone.
  await observer.run(script(`ALTER ROLE ${server.user} SET client_min_messages = error`));
  const expectNames = (names: string): Promise<void> => expectStandbys(server, observer, names);
  await expectNames('nobody');
  const world = opened.move();
  return { database, observer, expect: expectNames, [Symbol.asyncDispose]: () => world.disposeAsync() };
}

async function cancelWaiting({ observer }: LonelyPrimary): Promise<void> {
  const waiting = (): Promise<readonly { readonly pid: number }[]> => observer.run(WAITING);
  await expect.poll(waiting).toHaveLength(1);
  const [one] = await waiting();
  await observer.run(CANCEL, [one?.pid]);
}
