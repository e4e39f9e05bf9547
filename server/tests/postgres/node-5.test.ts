import { expect, test } from 'vitest';
import type { Event } from '../../model/message.ts';
import { StaleRouting } from '../../storage/errors.ts';
import { openDatabase, type Database } from '../../storage/postgres/connection/database.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { openPostgresStorage } from '../../storage/postgres/open-postgres-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { destination, source, workspace } from '../support/config-resources.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { batchOf } from '../support/memory-storage.ts';
import { startPipeline } from '../support/pipeline.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { systemClock } from '../../system-clock.ts';

const MAIN = 'workspaces/main';
const JS = `${MAIN}/sources/js`;
const WEBHOOKS = `${JS}/destinations/webhooks`;
const TIME = '2026-11-20T12:00:00.000Z';
/** Whoever waits, for the next look at what is new too, waits until the end. */
const WAITS = {
  steady: () => systemClock.steady(),
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted === true) resolve();
      signal?.addEventListener('abort', () => resolve());
    }),
};

function eventNamed(messageId: string): Event {
  return { type: 'identify', messageId, userId: 'u', context: {}, timestamp: TIME, receivedAt: TIME };
}

interface World extends AsyncDisposable {
  /** Where the configuration is changed. */
  readonly first: Storage;
  /** It hears of nothing unless it asks. */
  readonly second: Storage;
}

async function twoRouters(): Promise<World> {
  const opened = new AsyncDisposableStack();
  const place = opened.use(await postgresPlace());
  const open = async (): Promise<Storage> => {
    const storage = await openPostgresStorage({ database: deafDatabase(place), clock: WAITS, log: new RecordingLog() });
    opened.defer(() => storage.close());
    await storage.members.join({ now: systemClock.steady() });
    return storage;
  };
  const first = await open();
  await first.resources.create('workspaces', workspace('main'));
  await first.resources.create('sources', source('main', 'js'));
  await first.resources.create('destinations', { ...destination(JS), enabled: true });
  return { first, second: await open(), [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

function deafDatabase({ url }: PostgresPlace): Database {
  const own = openDatabase(readAddress(url));
  return { ...own, listen: (channel) => own.listen(channel, () => undefined) };
}

describeWithPostgres('the configuration of several routers', () => {
  test('NODE-5: what begins after a change was answered by one router is routed by it on another', async () => {
    await using world = await twoRouters();
    const { resources, deliveries } = world.second;
    const dispatcher = new RecordingDispatcher();
    const { pipeline } = await startPipeline({ config: resources, deliveries, dispatcher, clock: systemClock });
    const [sent, kept] = [new Set<string>(), new Set<string>()];
    for (let round = 0; round < 30; round += 1) {
      const enabled = round % 2 === 0;
      await world.first.resources.update('destinations', WEBHOOKS, (current) => ({ ...current, enabled }));
      const ids = Array.from({ length: 5 }, (_, index) => `m${round}-${index}`);
      for (const id of ids) (enabled ? sent : kept).add(id);
      await Promise.all(ids.map((id) => pipeline.accept({ source: JS, events: [eventNamed(id)] })));
    }
    const claimed = dispatcher.claims.map(({ message }) => message.event.messageId);
    expect([claimed.toSorted(), kept.size]).toEqual([[...sent].toSorted(), 75]);
  });

  test('NODE-5: what was routed to a workspace that another router removed is refused', async () => {
    await using world = await twoRouters();
    const { resources, deliveries } = world.second;
    const { directory } = await startPipeline({
      config: resources,
      deliveries,
      dispatcher: new RecordingDispatcher(),
      clock: systemClock,
    });
    await world.first.resources.remove('workspaces', MAIN);
    const version = directory.version(MAIN);
    expect(version).toBeGreaterThan(0);
    await expect(deliveries.accept({ ...batchOf([]), version })).rejects.toThrow(StaleRouting);
    expect([directory.version(MAIN), directory.source(JS)]).toEqual([0, undefined]);
    await deliveries.accept({ ...batchOf([]), version: 0 });
  });
});
