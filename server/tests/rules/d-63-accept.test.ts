import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Turns } from '../../fairness/turns.ts';
import type { DeliveryStorage } from '../../storage/delivery-storage.ts';
import { OutcomeUnknown } from '../../storage/errors.ts';
import { openFileStorage } from '../../storage/file/open-file-storage.ts';
import { filter, source, workspace } from '../support/config-resources.ts';
import { eventOf } from '../support/engine.ts';
import { destinationNamed } from '../support/ingestion-config-store.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { startPipeline } from '../support/pipeline.ts';
import { stillClock } from '../support/still-clock.ts';

const SOURCE = 'workspaces/main/sources/js';
const WEBHOOKS = `${SOURCE}/destinations/webhooks`;

/** Turns that begin when the test says so. */
class HeldTurns implements Turns {
  readonly #gate = Promise.withResolvers<void>();
  readonly asked = Promise.withResolvers<void>();

  room(): Promise<void> {
    this.asked.resolve();
    return this.#gate.promise;
  }

  spent(): void {}

  begin(): void {
    this.#gate.resolve();
  }
}

/** The pipeline over the storage that production opens, with one source and a webhooks destination that has a filter. */
async function startRouter(spoil: (own: DeliveryStorage) => DeliveryStorage = (own) => own) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-accept-'));
  const storage = await openFileStorage(folder, new RecordingLog());
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const { resources, members } = storage;
  await members.join({ now: 0 });
  await resources.create('workspaces', workspace('main'));
  await resources.create('sources', source('main', 'js'));
  await resources.create('destinations', destinationNamed(WEBHOOKS));
  await resources.create('filters', {
    ...filter(WEBHOOKS, 'df_1'),
    enabled: true,
    if: 'event = "Other"',
    actions: [{ type: 'drop_event' }],
  });
  const [turns, dispatcher] = [new HeldTurns(), new RecordingDispatcher()];
  const ports = { config: resources, deliveries: spoil(storage.deliveries), dispatcher, clock: stillClock(() => 0) };
  const { pipeline, dropped } = await startPipeline({ ...ports, turns });
  return { resources, turns, dispatcher, pipeline, dropped };
}

test('D-13, D-63: what changes while an event is routed holds for it', async () => {
  const { pipeline, turns, resources, dispatcher } = await startRouter();
  const accepted = pipeline.accept({ source: SOURCE, events: [eventOf(0)] });
  await turns.asked.promise;
  await resources.update('destinations', WEBHOOKS, (current) => ({ ...current, enabled: false }));
  turns.begin();
  expect(await accepted).toEqual({ accepted: 1, duplicates: 0 });
  expect([dispatcher.claims, dispatcher.kept]).toEqual([[], 0]);
});

test('D-12, D-63: a user who is suppressed while an event waits is neither stored nor told, and counted once', async () => {
  const { pipeline, turns, resources, dropped } = await startRouter();
  const accepted = pipeline.accept({
    source: SOURCE,
    events: [eventOf(0), eventOf(0, { messageId: 'm2', userId: 'u2' })],
  });
  await turns.asked.promise;
  const regulation = {
    name: 'workspaces/main/regulations/rg_1',
    regulate_id: 'rg_1',
    parent: 'workspaces/main',
    regulation_type: 'Suppress' as const,
    overall_status: 'INITIALIZED' as const,
    source_status: [],
    create_time: '2026-11-20T00:00:00.000Z',
    user_ids: ['u1'],
  };
  await resources.create('regulations', regulation);
  turns.begin();
  expect(await accepted).toEqual({ accepted: 1, duplicates: 0 });
  expect([...dropped.of(SOURCE)]).toEqual([['suppressed', 1]]);
});

test('D-63: where the answer of storage is lost, it is asked for again, and nothing is stored or sent twice', async () => {
  const keys: string[] = [];
  const { pipeline, turns, dispatcher } = await startRouter((own) => ({
    ...own,
    accept: async (request) => {
      keys.push(request.key);
      const answer = await own.accept(request);
      if (keys.length === 1) throw new OutcomeUnknown('the connection is gone');
      return answer;
    },
  }));
  turns.begin();
  expect(await pipeline.accept({ source: SOURCE, events: [eventOf(0)] })).toEqual({ accepted: 1, duplicates: 0 });
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  expect([dispatcher.claims.length, dispatcher.kept]).toEqual([1, 0]);
});
