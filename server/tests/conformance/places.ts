import { join } from 'node:path';
import { writes } from '../../storage/postgres/connection/statement.ts';
import { openSqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { Memory } from '../../storage/memory/memory.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { newFolder } from '../support/delivery-world.ts';
import { postgresNodes } from '../support/postgres-nodes.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import type { StoreUnderTest } from './delivery-store.ts';
import { NOW } from './delivery-store-events.ts';

/** A file of its own, open for the one node that it can have. */
export async function filePlace(): Promise<StoreUnderTest> {
  const path = join(newFolder(), 'deliveries.sqlite');
  let version = 0;
  const open = () => openSqliteStorage(path, { versionOf: () => version });
  let store = await open();
  await store.join({ now: NOW });
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await open();
      return store;
    },
    setVersion: (next) => void (version = next),
    end: () => store.close(),
  };
}

/** A memory of its own. Nothing of it survives the process: reopened is the same memory, with no word of the one before. */
export async function memoryPlace(spoil: (own: Verbs) => Partial<Verbs> = () => ({})): Promise<StoreUnderTest> {
  let [version, now] = [0, NOW];
  const memory = new Memory({ clock: { steady: () => now }, versionOf: () => version });
  const open = (name: string): Verbs => {
    const own = memory.open(name);
    return { ...own, ...spoil(own) };
  };
  const joined = async (name: string): Promise<Verbs> => {
    const store = open(name);
    await store.join({ now: NOW });
    return store;
  };
  return {
    store: await joined('one'),
    reopen: () => Promise.resolve(open('one')),
    other: () => joined('other'),
    advance: (ms) => void (now += ms),
    setVersion: (next) => void (version = next),
    end: () => Promise.resolve(),
  };
}

const SET_VERSION = writes(
  'set_version',
  "INSERT INTO config_versions VALUES ('workspaces/main', $1) ON CONFLICT (workspace) DO UPDATE SET version = $1",
);

/** A schema whose clock stands still. */
export async function postgresPlace(place: Promise<PostgresPlace>): Promise<StoreUnderTest> {
  const nodes = await postgresNodes(NOW, place);
  const joined = async (name: string): Promise<Verbs> => {
    const { verbs } = await nodes.open(name);
    await verbs.join({ now: NOW });
    return verbs;
  };
  return {
    store: await joined('one'),
    reopen: async () => (await nodes.open('one')).verbs,
    other: () => joined('other'),
    advance: (ms) => nodes.advance(ms),
    setVersion: async (next) => void (await nodes.database.run(SET_VERSION, [next])),
    end: async () => nodes[Symbol.asyncDispose](),
  };
}
