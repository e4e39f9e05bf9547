import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { openDirectory } from '../../directory/directory.ts';
import { systemClock } from '../../system-clock.ts';
import { toEntry } from '../../storage/resources/stored-entry.ts';
import { destinationNamed, MemoryConfigStore, sourceNamed } from '../support/ingestion-config-store.ts';

const SOURCE = 'workspaces/main/sources/js';
const nameOf = (at: number): string => `${SOURCE}/destinations/webhooks-${at}`;

afterEach(() => vi.restoreAllMocks());

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** What nobody holds is gone afterwards: what a WeakRef gave in a turn is held for the rest of it. */
async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
  collect();
}

test('SAFE-1: a stored resource is in memory as its JSON alone, unless somebody has it', async () => {
  const entry = toEntry(1, destinationNamed(nameOf(1)));
  let held: object | undefined = entry.resource;
  expect(held).toEqual(destinationNamed(nameOf(1)));
  expect(Object.isFrozen(held)).toBe(true);
  const seen = new WeakRef(held);
  await collectGarbage();
  expect(entry.resource).toBe(held);
  held = undefined;
  await collectGarbage();
  expect(seen.deref()).toBeUndefined();
  expect(entry.resource).toEqual(destinationNamed(nameOf(1)));
});

test('SAFE-2: of a source with many destinations, a change of one makes resources of few rows', async () => {
  const store = new MemoryConfigStore();
  await store.create('sources', sourceNamed(SOURCE, 'key'));
  for (let at = 0; at < 200; at += 1)
    await store.create('destinations', {
      ...destinationNamed(nameOf(at)),
      catalog_name: 'catalog/destinations/webhooks',
    });
  const undecided = { add: () => undefined };
  const turns = { room: () => undefined, spent: () => undefined };
  const directory = await openDirectory(store, { undecided, turns, clock: systemClock });
  expect(directory.source(SOURCE)?.routes).toHaveLength(200);
  await collectGarbage();
  const parse = vi.spyOn(JSON, 'parse');
  await store.update('destinations', nameOf(7), (one) => ({ ...one, enabled: false }));
  expect(directory.source(SOURCE)?.routes).toHaveLength(199);
  expect(directory.connections('workspaces/main').webhooks).toHaveLength(200);
  expect(parse.mock.calls.length).toBeLessThan(10);
});
