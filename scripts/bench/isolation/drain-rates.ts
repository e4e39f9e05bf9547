import { openStorage } from '../../../server/storage/open-storage.ts';
import { fillBacklog } from '../backlog-filling.ts';
import { sized, type Wish } from '../bench.ts';
import { monotonicMs } from '../monotonic.ts';
import type { OnPlace } from '../places.ts';
import { startRouterOn } from '../processes/bench-router.ts';
import { startReceiver } from '../processes/receiver-process.ts';
import { DESTINATIONS, HEALTHY, webhooks } from './destinations.ts';

const EVENTS_EACH = 1_500;

/**
 * Events per second from the start of a router with a backlog until the last event of a healthy destination has arrived.
 * Beside hanging ones only the events of the healthy count, so that the ratio is what an operator loses.
 */
export async function drainRates(onPlace: OnPlace, wish: Wish): Promise<{ alone: number; beside: number }> {
  return { alone: await drainRate(onPlace, wish, false), beside: await drainRate(onPlace, wish, true) };
}

function drainRate(onPlace: OnPlace, wish: Wish, isBeside: boolean): Promise<number> {
  const events = sized(EVENTS_EACH, wish) * DESTINATIONS;
  const healthy = (isBeside ? HEALTHY : DESTINATIONS) * (events / DESTINATIONS);
  return onPlace(async (place) => {
    using receiver = await startReceiver(events);
    await connect(place, webhooks(receiver.url, isBeside));
    const storage = await openStorage(place, SILENT);
    await fillBacklog(storage.deliveries, { sources: DESTINATIONS, first: 0, events, dueAt: Date.now() });
    await storage.close();
    await using router = await startRouterOn(place);
    const startedAt = monotonicMs();
    const rate = (1_000 * healthy) / ((await receiver.waitFor(healthy)) - startedAt);
    await router.stop();
    return rate;
  });
}

async function connect(place: string, hooks: readonly string[]): Promise<void> {
  await using router = await startRouterOn(place);
  await router.connect(hooks);
  await router.stop();
}

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // A bench measures the work, not the writing about it.
}
