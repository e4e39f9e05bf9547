import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ConfigStore } from '../../storage/config-store.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { stillClock } from '../support/still-clock.ts';
import { checkFact, configStoreConformance, type ConfigStorePlace, withVerb } from './config-store.ts';
import { FEED_FACTS } from './config-store-feed.ts';

/** A memory of its own, whose nodes hear of what others do when they ask, and not before. */
async function memoryPlace(spoil: Spoil = () => ({})): Promise<ConfigStorePlace> {
  const memory = newMemory();
  const open = async (): Promise<ConfigStore> => {
    const own = memory.open().resources;
    return withVerb(own, spoil(own));
  };
  return { store: await open(), reopen: open, other: open, end: () => Promise.resolve() };
}

type Spoil = (own: ConfigStore) => Partial<ConfigStore>;

function newMemory(): Memory {
  return new Memory({ clock: stillClock(() => 0), hearLater: () => undefined });
}

configStoreConformance('memory', () => memoryPlace(), ['refuseWrites']);

async function feedFactsThatFail(open: () => Promise<ConfigStorePlace>): Promise<string[]> {
  const failed: string[] = [];
  for (const fact of FEED_FACTS) await checkFact(fact, open).catch(() => failed.push(fact.title));
  return failed;
}

/** Mistakes in words that follow «the facts catch an engine that», with the number of the facts that fail. */
const MISTAKES: Readonly<Record<string, readonly [open: () => Promise<ConfigStorePlace>, failing: number]>> = {
  'refreshes nothing': [() => memoryPlace(() => ({ refresh: () => Promise.resolve() })), 1],
  'tells of changes after they were answered': [
    () =>
      memoryPlace((own) => ({
        watch: (tell, kinds) => own.watch((commit) => void setImmediate().then(() => tell(commit)), kinds),
      })),
    4,
  ],
  'gives all commits one version': [
    () =>
      memoryPlace((own) => ({ watch: (tell, kinds) => own.watch((commit) => tell({ ...commit, version: 1 }), kinds) })),
    1,
  ],
  'tells of all kinds, whichever are asked for': [
    () => memoryPlace((own) => ({ watch: (tell) => own.watch(tell) })),
    1,
  ],
  'has routers that do not share': [
    async () => ({ ...(await memoryPlace()), other: () => Promise.resolve(newMemory().open().resources) }),
    5,
  ],
};

test.each(Object.entries(MISTAKES))('the facts catch an engine that %s', async (_mistake, [open, failing]) => {
  expect(await feedFactsThatFail(open)).toHaveLength(failing);
});
