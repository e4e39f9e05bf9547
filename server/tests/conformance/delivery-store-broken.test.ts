import { expect, test } from 'vitest';
import { verbsOf } from '../../../scripts/crash/verbs-of.ts';
import { MemoryDeliveryStore } from '../../../testbed/simulation/memory-delivery-store.ts';
import { type Break, BREAKS } from '../support/broken-delivery-stores.ts';
import { checkFact, DELIVERY_STORE_FACTS, type OpenStore } from './delivery-store.ts';

/** The one that loses everything with its process can only be made of the whole place. */
const VOLATILE = 'answers before anything is on disk';

const stores: Readonly<Record<string, OpenStore>> = {
  ...Object.fromEntries(Object.entries(BREAKS).map(([mistake, spoil]) => [mistake, broken(spoil)])),
  [VOLATILE]: () => {
    const [store, next] = [new MemoryDeliveryStore(), new MemoryDeliveryStore()];
    return Promise.resolve({ store, reopen: () => Promise.resolve(next), end: () => Promise.resolve() });
  },
};

function broken(spoil: Break): OpenStore {
  return () => {
    const own = new MemoryDeliveryStore();
    const store = { ...verbsOf(own), ...spoil(own) };
    return Promise.resolve({ store, reopen: () => Promise.resolve(store), end: () => Promise.resolve() });
  };
}

async function factsThatFail(open: OpenStore): Promise<string[]> {
  const failed: string[] = [];
  for (const fact of DELIVERY_STORE_FACTS) await checkFact(fact, open).catch(() => failed.push(fact.title));
  return failed;
}

test('a good store fails no fact of the suite', async () => {
  expect(await factsThatFail(broken(() => ({})))).toEqual([]);
});

test.each(Object.entries(stores))('the suite catches a store that %s', async (_mistake, open) => {
  expect(await factsThatFail(open)).not.toEqual([]);
});

test('every fact of the suite is failed by one of these stores', async () => {
  const failed = new Set<string>();
  for (const open of Object.values(stores)) for (const title of await factsThatFail(open)) failed.add(title);
  expect(DELIVERY_STORE_FACTS.map(({ title }) => title).filter((title) => !failed.has(title))).toEqual([]);
});

test('ING-10: a store that answers before the disk fails the fact that says so', async () => {
  const open = stores[VOLATILE];
  expect(open && (await factsThatFail(open))).toContain('ING-10: what was accepted is there after reopening');
});
