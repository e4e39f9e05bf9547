import { randomUUID } from 'node:crypto';
import type { Acceptance } from '../../server/model/delivery.ts';
import type { AcceptRequest, DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import { destinationName, sourceName } from './names.ts';
import { numberedEvent } from './numbered-event.ts';

const BATCH = 1_000;

/** Numbered events that wait on disk. */
export interface Waiting {
  /** They belong to the destinations of the sources 0 to here in turn, this one not included. */
  readonly sources: number;
  readonly first: number;
  readonly events: number;
  /** Accepted, and due, at this moment; it may be in the future. */
  readonly dueAt: number;
}

/** Stores events as ingestion does when there is no room in memory: routed, and taken by nobody. */
export async function fillBacklog(
  store: Pick<DeliveryStorage, 'accept'>,
  { sources, first, events, dueAt }: Waiting,
): Promise<void> {
  const routes = Array.from({ length: sources }, (_, source) => [
    { destination: destinationName(source), claimed: false },
  ]);
  let before: Promise<unknown> = Promise.resolve();
  for (let start = 0; start < events; start += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, events - start) }, (_, index) => {
      const number = first + start + index;
      const message = { source: sourceName(number % sources), receivedAt: dueAt, event: numberedEvent(number) };
      return { message, routes: routes[number % sources] ?? [] };
    });
    // The next batch is made while this one is being stored.
    await before;
    before = store.accept(batchOf(batch));
  }
  await before;
}

/** What the storage is asked with, whatever the configuration: that of this workspace never changes. */
export function batchOf(acceptances: readonly Acceptance[]): AcceptRequest {
  return { key: randomUUID(), workspace: 'workspaces/none', version: 0, acceptances };
}
