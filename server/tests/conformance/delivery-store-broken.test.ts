import { expect, test } from 'vitest';
import { VERBS } from '../../storage/verbs.ts';
import { COUNT_MISTAKES } from '../support/broken-counts.ts';
import { type Break, BREAKS } from '../support/broken-delivery-stores.ts';
import { LINE_MISTAKES } from '../support/broken-lines.ts';
import { MISTAKES } from '../support/broken-storages.ts';
import { AUDIENCE_MISTAKES } from '../support/broken-tellings.ts';
import { USED_ID_MISTAKES } from '../support/broken-used-ids.ts';
import { checkFact, DELIVERY_STORE_FACTS, type DeliveryStoreFact, type OpenStore } from './delivery-store.ts';
import { memoryPlace } from './places.ts';

/** The one that loses everything with its process can only be made of the whole place. */
const VOLATILE = 'answers before anything is on disk';

const ALL: Readonly<Record<string, Break>> = {
  ...BREAKS,
  ...MISTAKES,
  ...AUDIENCE_MISTAKES,
  ...LINE_MISTAKES,
  ...COUNT_MISTAKES,
  ...USED_ID_MISTAKES,
};

const stores: Readonly<Record<string, OpenStore>> = {
  ...Object.fromEntries(Object.entries(ALL).map(([mistake, spoil]) => [mistake, () => memoryPlace(spoil)])),
  [VOLATILE]: async () => {
    const [place, next] = [await memoryPlace(), await memoryPlace()];
    return { ...place, reopen: () => next.reopen() };
  },
};

async function fails(fact: DeliveryStoreFact, open: OpenStore): Promise<boolean> {
  return checkFact(fact, open).then(
    () => false,
    () => true,
  );
}

/** Facts that no store before has failed. */
const unfailed = new Set(DELIVERY_STORE_FACTS);
const caught = new Map<OpenStore, Promise<boolean>>();

/** Whether a store fails some fact, looked for once. Those that no other has failed are all tried, and of the rest until one fails. */
function isCaught(open: OpenStore): Promise<boolean> {
  return caught.getOrInsertComputed(open, async () => {
    const others = DELIVERY_STORE_FACTS.filter((fact) => !unfailed.has(fact));
    const before = unfailed.size;
    for (const fact of unfailed) if (await fails(fact, open)) unfailed.delete(fact);
    if (unfailed.size < before) return true;
    for (const fact of others) if (await fails(fact, open)) return true;
    return false;
  });
}

test('a good store fails no fact of the suite', async () => {
  for (const fact of DELIVERY_STORE_FACTS) await checkFact(fact, () => memoryPlace());
});

test.each(Object.entries(stores))('the suite catches a store that %s', async (_mistake, open) => {
  expect(await isCaught(open)).toBe(true);
});

test('every fact of the suite is failed by one of these stores', async () => {
  for (const open of Object.values(stores)) await isCaught(open);
  expect([...unfailed].map(({ title }) => title)).toEqual([]);
});

test('ING-10: a store that answers before the disk fails the fact that says so', async () => {
  const title = 'ING-10: what was accepted is there after reopening';
  const fact = DELIVERY_STORE_FACTS.find((one) => one.title === title);
  const open = stores[VOLATILE];
  expect(fact && open && (await fails(fact, open))).toBe(true);
});

test('every verb of the storage is asked by the suite', async () => {
  const asked = new Set<string>();
  const noting = (own: object): object =>
    Object.fromEntries(
      Object.entries(own).map(([verb, ask]) => [verb, (...given: unknown[]) => (asked.add(verb), ask(...given))]),
    );
  for (const fact of DELIVERY_STORE_FACTS) await checkFact(fact, () => memoryPlace((own) => noting(own)));
  expect(Object.keys(VERBS).filter((verb) => !asked.has(verb))).toEqual([]);
});
