import { test } from 'vitest';
import type { DeliveryStorage } from '../../storage/delivery-storage.ts';
import { ACCEPTANCE_FACTS } from './delivery-store-acceptance.ts';
import { CLAIM_FACTS } from './delivery-store-claims.ts';
import { VERDICT_FACTS } from './delivery-store-verdicts.ts';

/** A store on a place of its own, and a way to open the same place again, as after the end of the process. */
export interface StoreUnderTest {
  readonly store: DeliveryStorage;
  readonly reopen: () => Promise<DeliveryStorage>;
  readonly end: () => Promise<void>;
}

export interface DeliveryStoreFact {
  readonly title: string;
  readonly check: (place: StoreUnderTest) => Promise<void>;
}

/** What every engine behind the port must do. */
export const DELIVERY_STORE_FACTS: readonly DeliveryStoreFact[] = [
  ...ACCEPTANCE_FACTS,
  ...CLAIM_FACTS,
  ...VERDICT_FACTS,
];

export type OpenStore = () => Promise<StoreUnderTest>;

/** Each fact is one test. */
export function deliveryStoreConformance(engine: string, open: OpenStore): void {
  for (const fact of DELIVERY_STORE_FACTS) test(`${engine}: ${fact.title}`, () => checkFact(fact, open));
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
