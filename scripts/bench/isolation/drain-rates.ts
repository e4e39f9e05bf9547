import { join } from 'node:path';
import { openSqliteStorage } from '../../../server/storage/file/deliveries/sqlite-storage.ts';
import { fillBacklog } from '../backlog-filling.ts';
import { sized, type Wish } from '../bench.ts';
import { inFolder } from '../folder.ts';
import { monotonicMs } from '../monotonic.ts';
import { startRouter } from '../processes/bench-router.ts';
import { startReceiver } from '../processes/receiver-process.ts';
import { DESTINATIONS, HEALTHY, webhooks } from './destinations.ts';

const EVENTS_EACH = 1_500;

/**
 * Events per second from the start of a router with a backlog until the last event of a healthy destination has arrived.
 * Beside hanging ones only the events of the healthy count, so that the ratio is what an operator loses.
 */
export async function drainRates(wish: Wish): Promise<{ alone: number; beside: number }> {
  return { alone: await drainRate(wish, false), beside: await drainRate(wish, true) };
}

function drainRate(wish: Wish, isBeside: boolean): Promise<number> {
  const events = sized(EVENTS_EACH, wish) * DESTINATIONS;
  const healthy = (isBeside ? HEALTHY : DESTINATIONS) * (events / DESTINATIONS);
  return inFolder(async (folder) => {
    using receiver = await startReceiver(events);
    await connect(folder, webhooks(receiver.url, isBeside));
    const store = await openSqliteStorage(join(folder, 'deliveries.sqlite'));
    await fillBacklog(store, { sources: DESTINATIONS, first: 0, events, dueAt: Date.now() });
    await store.close();
    await using router = await startRouter(folder);
    const startedAt = monotonicMs();
    const rate = (1_000 * healthy) / ((await receiver.waitFor(healthy)) - startedAt);
    await router.stop();
    return rate;
  });
}

async function connect(folder: string, hooks: readonly string[]): Promise<void> {
  await using router = await startRouter(folder);
  await router.connect(hooks);
  await router.stop();
}
