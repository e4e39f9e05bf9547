import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { forgetErased } from '../../losses/forget-erased.ts';
import { SEND_MS, SharedLosses } from '../../losses/shared-losses.ts';
import type { Regulation } from '../../model/resources.ts';
import type { LossBatch, LossStorage } from '../../storage/losses.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { regulation, workspace } from '../support/config-resources.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const SOURCE = 'workspaces/main/sources/js';
const LOST = { reason: 'bad_request', receivedAt: '2026-11-20T00:00:00.000Z' } as const;

/** A router that has lost events of two users, and not sent that yet, as another one begins a regulation of the first. */
async function itemsSentBeside(given: Partial<Regulation>): Promise<readonly unknown[]> {
  const clock = new VirtualClock(0);
  const memory = new Memory({ clock });
  const [own, other] = [memory.open('own').resources, memory.open('other').resources];
  const stored: LossBatch[] = [];
  const storage: LossStorage = {
    addLosses: async (batch) => void stored.push(batch),
    losses: async () => ({ since: 0, counts: [], items: [] }),
    eraseItems: async () => undefined,
  };
  const losses = new SharedLosses({ storage, clock, log: new RecordingLog() });
  losses.start();
  const stop = await forgetErased(own, losses);
  await other.create('workspaces', workspace('main'));
  const events = ['of u1', 'of u2'].map((event) => ({ ...LOST, event }));
  losses.sinks.dropped.add(SOURCE, new Map([['bad_request', 2]]), events);
  await other.create('regulations', { ...regulation('main', 'rg_1'), ...given });
  await own.refresh();
  await clock.advance(SEND_MS);
  stop();
  await losses.stop();
  expect(stored.flatMap(({ counts }) => counts)).toMatchObject([{ count: 2 }]);
  return stored.flatMap(({ items }) => items.map(({ item }): unknown => JSON.parse(item).event));
}

test('AUD-9: what a router has not sent yet of dropped events goes when another one begins to delete their users', async () => {
  const running = { regulation_type: 'Delete', overall_status: 'RUNNING' } as const;
  expect(await itemsSentBeside(running)).toEqual(['of u2']);
  const both = ['of u1', 'of u2'];
  expect(await itemsSentBeside({ ...running, source_name: `${SOURCE}2` })).toEqual(both);
  expect(await itemsSentBeside({ ...running, overall_status: 'INITIALIZED' })).toEqual(both);
  expect(await itemsSentBeside({ ...running, regulation_type: 'Suppress' })).toEqual(both);
});
