import { test } from 'vitest';
import type { ConfigStore } from '../../storage/config-store.ts';
import { CREATION_FACTS } from './config-store-creations.ts';
import { DURABILITY_FACTS } from './config-store-durability.ts';
import { FEED_FACTS } from './config-store-feed.ts';
import { ORDER_FACTS } from './config-store-order.ts';
import { AUDIT_FACTS } from './config-store-audit.ts';
import { REMOVAL_FACTS } from './config-store-removals.ts';
import { UPDATE_FACTS } from './config-store-updates.ts';

/** An empty store on a place of its own, with what a test does to that place. */
export interface ConfigStorePlace {
  readonly store: ConfigStore;
  /** Opens the same place again, as after a SIGKILL: the store that had it is not closed. */
  readonly reopen: () => Promise<ConfigStore>;
  /** Opens it for another router, at the same time; undefined where one alone can have it. */
  readonly other?: () => Promise<ConfigStore>;
  /** While true, the place cannot be written; undefined where it always can. */
  readonly refuseWrites?: (refuse: boolean) => void;
  readonly end: () => Promise<void>;
}

export interface Fact {
  readonly title: string;
  /** What of a place it cannot do without. */
  readonly needs?: 'other' | 'refuseWrites';
  readonly check: (place: ConfigStorePlace) => Promise<void>;
}

/** What every engine behind the port must do. */
export const CONFIG_STORE_FACTS: readonly Fact[] = [
  ...CREATION_FACTS,
  ...UPDATE_FACTS,
  ...REMOVAL_FACTS,
  ...AUDIT_FACTS,
  ...ORDER_FACTS,
  ...DURABILITY_FACTS,
  ...FEED_FACTS,
];

export type OpenPlace = () => Promise<ConfigStorePlace>;

/** Each fact is one test. */
export function configStoreConformance(engine: string, open: OpenPlace, lacks: readonly Fact['needs'][] = []): void {
  const facts = CONFIG_STORE_FACTS.filter(({ needs }) => needs === undefined || !lacks.includes(needs));
  for (const fact of facts) test(`${fact.title} (${engine})`, () => checkFact(fact, open));
}

export async function checkFact(fact: Fact, open: OpenPlace): Promise<void> {
  const place = await open();
  try {
    await fact.check(place);
  } finally {
    await place.end();
  }
}

/** A store with some of its verbs replaced. */
export function withVerb(store: ConfigStore, verb: Partial<ConfigStore>): ConfigStore {
  const bound: ConfigStore = {
    get: (kind, name) => store.get(kind, name),
    list: (kind, parent, page) => store.list(kind, parent, page),
    create: (...given) => store.create(...given),
    update: (...given) => store.update(...given),
    remove: (...given) => store.remove(...given),
    watch: (listener, kinds) => store.watch(listener, kinds),
    refresh: () => store.refresh(),
    tokenByHash: (hash) => store.tokenByHash(hash),
    close: () => store.close(),
  };
  return { ...bound, ...verb };
}
