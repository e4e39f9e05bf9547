import { expect, test } from 'vitest';
import { VERBS } from '../../storage/verbs.ts';
import { COUNT_MISTAKES } from '../support/broken-counts.ts';
import { type Break, BREAKS } from '../support/broken-delivery-stores.ts';
import { LINE_MISTAKES } from '../support/broken-lines.ts';
import { MISTAKES } from '../support/broken-storages.ts';
import { AUDIENCE_MISTAKES } from '../support/broken-tellings.ts';
import { USED_ID_MISTAKES } from '../support/broken-used-ids.ts';
import { checkFact, DELIVERY_STORE_FACTS, type OpenStore } from './delivery-store.ts';
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

const found = new Map<OpenStore, Promise<readonly string[]>>();

/** Each store is held to all facts once, whoever asks. */
function factsThatFail(open: OpenStore): Promise<readonly string[]> {
  return found.getOrInsertComputed(open, async () => {
    const failed: string[] = [];
    for (const fact of DELIVERY_STORE_FACTS) await checkFact(fact, open).catch(() => failed.push(fact.title));
    return failed;
  });
}

test('a good store fails no fact of the suite', async () => {
  expect(await factsThatFail(() => memoryPlace())).toEqual([]);
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

test('every verb of the storage is asked by the suite', async () => {
  const asked = new Set<string>();
  const noting = (own: object): object =>
    Object.fromEntries(
      Object.entries(own).map(([verb, ask]) => [verb, (...given: unknown[]) => (asked.add(verb), ask(...given))]),
    );
  for (const fact of DELIVERY_STORE_FACTS) await checkFact(fact, () => memoryPlace((own) => noting(own)));
  expect(Object.keys(VERBS).filter((verb) => !asked.has(verb))).toEqual([]);
});
