import { expect, test } from 'vitest';
import { createWaitingQueues } from '../../delivery/waiting-queues.ts';
import { EVENT_BYTES } from '../../events/event-limits.ts';
import { deliveryId } from '../../model/delivery.ts';
import type { LoggedDelivery } from '../../model/logged-delivery.ts';
import type { Replay } from '../../model/replay.ts';
import { PAGE_LENGTH } from '../../resources/pages.ts';
import type { LogQuery } from '../../storage/delivery-log.ts';
import { NOW, startConfigApi, withWebhooks } from '../support/config-api.ts';
import { openMemory } from '../support/memory-storage.ts';
import { stillClock } from '../support/still-clock.ts';

const EVENT = 'e'.repeat(EVENT_BYTES);
/** More than a page has room for. */
const ROWS = 700;

function logged(number: number): LoggedDelivery {
  const id = String(number);
  const sent = { delivery: deliveryId(id), messageId: id, type: 'track', event: EVENT, userId: 'u1' } as const;
  return { ...sent, state: 'delivered', rounds: 1, replays: 0, receivedAt: NOW, endedAt: NOW };
}

function replay(id: number, destination: string): Replay {
  const wanted = { destination, filter: { event: EVENT }, dryRun: true, perSecond: 1, createdAt: NOW };
  return { ...wanted, id, state: 'finished', examined: 0, matched: 0, endedAt: NOW };
}

/** From so many on, up to the limit. */
function numbers(after: number, limit: number): number[] {
  return Array.from({ length: Math.min(limit, ROWS - after) }, (_, index) => after + index + 1);
}

/** A router whose log, and whose replays, are as long as they may be; and the most that it read at once. */
async function startLong() {
  const store = openMemory();
  const most = { rows: 0 };
  const noted = (limit: number): number => (most.rows = Math.max(most.rows, limit));
  const list = async ({ before = '0', limit }: LogQuery) => {
    const deliveries = numbers(Number(before), noted(limit)).map(logged);
    const last = Number(before) + deliveries.length;
    return { deliveries, ...(last < ROWS && { next: String(last) }) };
  };
  const listReplays: typeof store.listReplays = async ({ destination, after, limit }) =>
    numbers(after, noted(limit)).map((id) => replay(id, destination));
  const queues = createWaitingQueues({
    store,
    openCircuits: async () => ({ circuits: [], count: 0 }),
    clock: stillClock(() => NOW),
  });
  const storage = { ...store, listReplays };
  const api = await startConfigApi(undefined, {
    deliveries: { log: { ...store, list }, storage, wake: () => undefined, queues },
  });
  return { api, most, destination: await withWebhooks(api) };
}

test.each(['deliveries', 'replays'] as const)(
  'SAFE-2: a page of %s that are as long as an event may be ends early, and the pages have each of them once',
  async (kind) => {
    const { api, most, destination } = await startLong();
    const names: string[] = [];
    let pages = 0;
    for (let query: string | undefined = ''; query !== undefined; pages += 1) {
      const page = await api.ok('GET', `/${destination}/${kind}?page_size=1000${query}`);
      expect(JSON.stringify(page).length).toBeLessThan(2 * PAGE_LENGTH);
      const rows = page[kind];
      if (!Array.isArray(rows)) throw new Error(`an answer has no ${kind}`);
      names.push(...rows.map(({ name }: { name: string }) => name.slice(name.lastIndexOf('/') + 1)));
      const { next_page_token: token } = page;
      query = token === '' ? undefined : `&page_token=${String(token)}`;
    }
    expect(names).toEqual(numbers(0, ROWS).map(String));
    expect(pages).toBeGreaterThan(1);
    expect(most.rows * EVENT_BYTES).toBeLessThan(PAGE_LENGTH);
  },
);
