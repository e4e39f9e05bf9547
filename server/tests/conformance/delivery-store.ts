import { test } from 'vitest';
import type { Verbs } from '../../storage/verbs.ts';
import { ACCEPTANCE_FACTS } from './delivery-store-acceptance.ts';
import { CLAIM_FACTS } from './delivery-store-claims.ts';
import { COUNT_FACTS } from './count-facts.ts';
import { FORGOTTEN_FACTS } from './forgotten-facts.ts';
import { INBOX_FACTS } from './inbox-facts.ts';
import { JOB_FACTS } from './job-facts.ts';
import { REPLAY_LIMIT_FACTS } from './replay-limit-facts.ts';
import { LINE_FACTS } from './line-facts.ts';
import { LOG_FACTS } from './log-facts.ts';
import { MEMBER_FACTS } from './member-facts.ts';
import { NEWS_FACTS } from './news-facts.ts';
import { REPLAYED_TELLING_FACTS } from './replayed-telling-facts.ts';
import { SYNC_FACTS } from './sync-facts.ts';
import { TELLING_FACTS } from './telling-facts.ts';
import { USED_ID_FACTS } from './used-id-facts.ts';
import { VERDICT_FACTS } from './delivery-store-verdicts.ts';

/** A storage on a place of its own, whose node has joined, and ways to open the same place. */
export interface StoreUnderTest {
  readonly store: Verbs;
  /** The same node once more, as after the end of its process; it has not joined yet. */
  readonly reopen: () => Promise<Verbs>;
  /** Another node at the same time, which has joined; absent where the engine allows one alone. */
  readonly other?: () => Promise<Verbs>;
  /** Moves the storage's own clock, by which leases end; absent where the lease is the life of the process. */
  readonly advance?: (ms: number) => void | Promise<void>;
  /** Changes the version of every workspace. */
  readonly setVersion: (version: number) => void | Promise<void>;
  readonly end: () => Promise<void>;
}

export interface DeliveryStoreFact {
  readonly title: string;
  readonly check: (place: StoreUnderTest) => Promise<void>;
  /** It is about two nodes at once: for engines that can be opened twice. */
  readonly needsTwoNodes?: true;
  /** It is about an inbox that profiles read and clear: for engines that keep them apart from messages. */
  readonly needsOwnInbox?: true;
}

/** What every engine behind the port must do. */
export const DELIVERY_STORE_FACTS: readonly DeliveryStoreFact[] = [
  ...ACCEPTANCE_FACTS,
  ...CLAIM_FACTS,
  ...VERDICT_FACTS,
  ...LINE_FACTS,
  ...MEMBER_FACTS,
  ...NEWS_FACTS,
  ...LOG_FACTS,
  ...COUNT_FACTS,
  ...USED_ID_FACTS,
  ...JOB_FACTS,
  ...REPLAY_LIMIT_FACTS,
  ...INBOX_FACTS,
  ...SYNC_FACTS,
  ...TELLING_FACTS,
  ...REPLAYED_TELLING_FACTS,
  ...FORGOTTEN_FACTS,
];

export type OpenStore = () => Promise<StoreUnderTest>;

/** Each fact is one test. */
export function deliveryStoreConformance(
  engine: string,
  open: OpenStore,
  facts: readonly DeliveryStoreFact[] = DELIVERY_STORE_FACTS,
): void {
  for (const fact of facts) test(`${fact.title} (${engine})`, () => checkFact(fact, open));
}

/** Rejects when the store does not keep the fact. */
export async function checkFact(fact: DeliveryStoreFact, open: OpenStore): Promise<void> {
  const place = await open();
  try {
    await fact.check(place);
  } finally {
    await place.end();
  }
}
