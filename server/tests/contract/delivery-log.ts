import { batchOf, fenceOf } from '../support/memory-storage.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Deliveries } from '../../resources/env.ts';
import { createWaitingQueues } from '../../delivery/waiting-queues.ts';
import type { DeliveryStorage } from '../../storage/delivery-storage.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { replays } from '../../jobs/replays.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { eventOf, messageOf } from '../support/engine.ts';
import { openSqliteHere } from '../support/sqlite-here.ts';

/** The log of deliveries as the router keeps it, without an engine that would add to it. */
export interface DeliveryLog {
  readonly deliveries: Deliveries;
  /** Carries out bulk replays. */
  readonly jobs: JobRunner;
  /** Adds a delivery that has failed for good, and so can be replayed; answers its id. */
  readonly addFailed: (destination: string) => Promise<string>;
}

/** Nothing is sent here. */
const wake = (): void => undefined;

export async function openDeliveryLog(clock: Clock, log: Log): Promise<DeliveryLog> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-contract-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = await openSqliteHere(join(folder, 'deliveries.sqlite'));
  await store.join({ now: clock.steady() });
  onTestFinished(() => store.close());
  const queues = createWaitingQueues({ store, openCircuits: async () => ({ circuits: [], count: 0 }), clock });
  const ports = { storage: store, clock, log };
  const jobs = new JobRunner(ports, [replays({ ...ports, wake })]);
  onTestFinished(() => jobs.stop());
  return {
    deliveries: { log: store, storage: store, wake, queues },
    jobs,
    addFailed: (destination) => addFailed(store, clock, destination),
  };
}

export async function addFailed(
  store: Pick<DeliveryStorage, 'accept' | 'record'>,
  clock: Clock,
  destination: string,
  version = 0,
): Promise<string> {
  const message = messageOf(clock, eventOf(clock.now(), {}));
  const batch = batchOf([{ message, routes: [{ destination, claimed: true }] }]);
  const [claims] = await store.accept({ ...batch, version });
  const [claim] = claims === undefined || claims === 'duplicate' ? [] : claims;
  if (claim === undefined) throw new Error('the delivery store took nothing');
  const verdict = { state: 'failed' } as const;
  await store.record([{ ...fenceOf(claim), destination, attempts: [], verdict, endedAt: clock.now(), ageMs: 0 }]);
  return claim.delivery;
}
