import { createAccept } from '../../events/accept.ts';
import { RecordingDispatcher } from './ingestion-dispatcher.ts';
import { stillClock } from './still-clock.ts';
import { fenceOf } from './memory-storage.ts';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Claim, DeliveryState } from '../../model/delivery.ts';
import type { SqliteStorage } from '../../storage/file/deliveries/sqlite-storage.ts';
import { newFolder } from './delivery-world.ts';
import { messageOf } from './engine.ts';
import { openSqliteHere } from './sqlite-here.ts';

/** The moment at which a test of retention begins. */
export const NOW = Date.UTC(2026, 0, 1);
export const A = 'workspaces/main/sources/js/destinations/webhooks';
export const B = 'workspaces/main/sources/js/destinations/other';

/** A delivery store in a file of its own. */
export interface Place {
  readonly path: string;
  readonly store: SqliteStorage;
}

export async function openPlace(): Promise<Place> {
  const path = join(newFolder(), 'deliveries.sqlite');
  const store = await openSqliteHere(path);
  await store.join({ now: NOW });
  onTestFinished(() => store.close());
  return { path, store };
}

export async function accept(
  { store }: Place,
  at: number,
  ids: readonly string[],
  to = [A],
  properties = {},
): Promise<Claim[]> {
  const dispatcher = new RecordingDispatcher();
  const events = ids.map((messageId) => messageOf({ now: () => at }, { messageId, properties }));
  const routed = events.map(({ source, event }) => ({ source, event, to }));
  const clock = stillClock(() => at);
  await createAccept({ deliveries: store, dispatcher, clock })(routed, { workspace: 'workspaces/main', version: 0 });
  return dispatcher.claims;
}

export async function end(
  { store }: Place,
  claims: readonly Claim[],
  state: DeliveryState = 'delivered',
): Promise<void> {
  if (state === 'trying') return;
  const verdict = state === 'pending' ? { state, dueAt: NOW, setAt: NOW, closed: [], tries: 1 } : { state };
  await store.record(
    claims.map((claim) => {
      const { destination, message } = claim;
      return { ...fenceOf(claim), destination, attempts: [], verdict, endedAt: message.receivedAt, ageMs: 0 };
    }),
  );
}

interface Bounds {
  readonly endedBefore: number;
  readonly seenBefore: number;
  readonly usedBefore?: number;
}

/** Everything up to this moment that is old, in batches of two. */
export async function sweep({ store }: Place, bounds: Bounds): Promise<number> {
  let deliveries = 0;
  let after: string | undefined;
  do {
    const swept = await store.purge({ usedBefore: NOW, ...bounds, after, limit: 2 });
    deliveries += swept.deliveries;
    after = swept.next;
  } while (after !== undefined);
  return deliveries;
}

export async function left({ store }: Place, destination = A): Promise<string[]> {
  const { deliveries } = await store.list({ destination, filter: {}, limit: 100 });
  return deliveries.map(({ messageId }) => messageId);
}
