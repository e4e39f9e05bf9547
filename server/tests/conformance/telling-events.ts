import type { Claim, Verdict } from '../../model/delivery.ts';
import type { Sync } from '../../model/sync.ts';
import type { Telling, TellAnswer, TellRequest, Told } from '../../storage/telling-storage.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { messageOf } from '../support/engine.ts';
import { A, NOW, recordOf } from './delivery-store-events.ts';

export const AUDIENCE = 'workspaces/main/audiences/aud_1';
export const TRAIT = 'workspaces/main/computed-traits/tra_1';

/** A new sync, or the one that runs. */
export function started(store: Verbs, computation = AUDIENCE): Promise<Sync> {
  return store.startSync({ computation, now: NOW });
}

export function telling(user: string, value = 'true', computation = AUDIENCE): Telling {
  const event = { type: 'identify', messageId: `${user} ${value}`, userId: user, traits: { key: value } } as const;
  return { user, value, message: { ...messageOf({ now: () => NOW }, event), source: computation } };
}

/** Tells A, by what holds now unless said otherwise. */
export async function tellOf(
  store: Verbs,
  { computation, number, cursor }: Sync,
  tellings: readonly Telling[],
  more: Partial<TellRequest> = {},
): Promise<TellAnswer> {
  const { erasures } = await store.told({ computation, destination: A, limit: 1 });
  const of = { computation, sync: number, destination: A, cursor };
  return store.tell({ ...of, erasures, tellings, forgotten: [], silenced: [], now: NOW, ...more });
}

/** All that A was told, one page of one user after the other. */
export async function toldOf(store: Verbs, computation = AUDIENCE, destination = A): Promise<readonly Told[]> {
  const all: Told[] = [];
  for (;;) {
    const { told } = await store.told({ computation, destination, after: all.at(-1)?.user, limit: 1 });
    if (told.length === 0) return all;
    all.push(...told);
  }
}

/** What waits for A, as it is taken; it is being tried from then on. */
export async function taken(store: Verbs): Promise<readonly Claim[]> {
  return (await store.claim({ which: 'due', destination: A, now: NOW, limit: 100 })).claims;
}

/** Sends what waits for A, with this end. */
export async function endAll(store: Verbs, state: Exclude<Verdict['state'], 'pending'>): Promise<void> {
  await store.record((await taken(store)).map((claim) => recordOf(claim, { state })));
}

/** Ends the sync, and begins the next. */
export async function next(store: Verbs, { computation, number }: Sync): Promise<Sync> {
  await store.endSync({ computation, number, state: 'DONE', now: NOW });
  return started(store, computation);
}
