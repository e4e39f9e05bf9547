import { randomUUID } from 'node:crypto';
import type { Acceptance, Fence } from '../../model/delivery.ts';
import type { AcceptRequest } from '../../storage/delivery-storage.ts';
import { Memory, type MemoryStorage } from '../../storage/memory/memory.ts';
import { stillClock } from './still-clock.ts';

/** A memory of its own, open for one node, whose lease never ends, and which takes what any configuration routed. */
export function openMemory(): MemoryStorage {
  return new Memory({ clock: stillClock(() => 0), versionOf: () => undefined }).open();
}

/** What a report of a round is told by. */
export function fenceOf({ delivery, node, epoch, round }: Fence): Fence {
  return { delivery, node, epoch, round };
}

/** What the storage is asked with, whatever the configuration. */
export function batchOf(acceptances: readonly Acceptance[]): AcceptRequest {
  return { key: randomUUID(), workspace: 'workspaces/main', version: 0, acceptances };
}
