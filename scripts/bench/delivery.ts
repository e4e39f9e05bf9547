import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createAddressGuard } from '../../server/delivery/address-guard.ts';
import { bytesOf, webhookBody } from '../../server/delivery/body.ts';
import { Dispatcher } from '../../server/delivery/dispatcher.ts';
import { DEFAULT_POLICY } from '../../server/delivery/policy.ts';
import { requestTo } from '../../server/delivery/request.ts';
import { createUndiciTransport } from '../../server/delivery/undici-transport.ts';
import type { Acceptance } from '../../server/ports/delivery-store.ts';
import type { Event } from '../../server/ports/message.ts';
import { openSqliteDeliveryStore } from '../../server/store/deliveries/sqlite-delivery-store.ts';
import { systemClock } from '../../server/system-clock.ts';
import { silentLog } from './silent-log.ts';

const DESTINATION = 'workspaces/main/sources/bench/destinations/webhooks';
const BATCH = 1_000;

/** An event whose body is about one KB. */
function eventOf(index: number): Event {
  const time = new Date(1_700_000_000_000 + index).toISOString();
  const properties = { index, text: 'x'.repeat(640) };
  const ids = { messageId: `bench-${index}`, userId: `user-${index % 1000}` };
  return { type: 'track', ...ids, event: 'Bench', properties, context: {}, timestamp: time, receivedAt: time };
}

/** Events per second from a backlog on disk to a webhook, signed, with their results on disk. */
export async function deliverBacklog(url: string, events: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  const store = await openSqliteDeliveryStore(join(folder, 'deliveries.sqlite'));
  const routes = [{ destination: DESTINATION, claimed: false }];
  for (let start = 0; start < events; start += BATCH) {
    const batch: Acceptance[] = Array.from({ length: Math.min(BATCH, events - start) }, (_, index) => ({
      message: { source: 'workspaces/main/sources/bench', receivedAt: Date.now(), event: eventOf(start + index) },
      routes,
    }));
    await store.accept(batch);
  }
  const target = { webhooks: [{ url, headers: {} }], sharedSecret: 's3cret' };
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), DEFAULT_POLICY.deadlineMs);
  const ports = { policy: DEFAULT_POLICY, clock: systemClock, random: Math.random, transport, log: silentLog };
  let left = events;
  const done = Promise.withResolvers<void>();
  const recording: typeof store.record = async (rounds) => {
    await store.record(rounds);
    left -= rounds.filter((round) => round.verdict.state === 'delivered').length;
    if (left <= 0) done.resolve();
  };
  const counted = new Proxy(store, {
    get: (object, key) => (key === 'record' ? recording : bound(object, key)),
  });
  const dispatcher = new Dispatcher({ ...ports, targets: () => Promise.resolve(target), store: counted });
  const startedAt = performance.now();
  await dispatcher.start();
  await done.promise;
  const seconds = (performance.now() - startedAt) / 1000;
  await dispatcher.stop(1_000);
  await transport.close();
  await store.close();
  await rm(folder, { recursive: true });
  return events / seconds;
}

function bound(object: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(object, key);
  return typeof value === 'function' ? value.bind(object) : value;
}

/** The physical limit: undici POSTs the same signed bytes over as many connections, and nothing else. */
export async function bareLoop(url: string, events: number): Promise<number> {
  const agent = new Agent({ connections: DEFAULT_POLICY.perDestination, pipelining: 1, allowH2: false });
  const webhook = { url, headers: {} };
  const target = { webhooks: [webhook], sharedSecret: 's3cret' };
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: DEFAULT_POLICY.perDestination }, async () => {
      while (next < events) {
        const body = bytesOf(webhookBody(eventOf((next += 1))));
        const { headers } = requestTo(webhook, target, body, 5_000);
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
        await answer.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await agent.close();
  return events / seconds;
}
