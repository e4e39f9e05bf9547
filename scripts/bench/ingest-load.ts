/** Sends batches over some connections as fast as they are answered; tells events per second, and how long answers took. Run as a process. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { percentile } from './figures.ts';
import type { Answered } from './ingest.ts';

const [url = '', writeKey = '', ...numbers] = process.argv.slice(2);
const [batchSize = 100, events = 20_000, connections = 16] = numbers.map(Number);

const bodies = Array.from({ length: Math.ceil(events / batchSize) }, () =>
  Buffer.from(JSON.stringify({ writeKey, sentAt: new Date().toISOString(), batch: batchOf() })),
);
const pool = new Pool(url, { connections, pipelining: 1, allowH2: false });
const headers = { 'content-type': 'application/json' };

const times = new Float64Array(bodies.length);
const startedAt = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    for (let number = next++, body = bodies[number]; body !== undefined; number = next++, body = bodies[number]) {
      const sentAt = performance.now();
      const answer = await pool.request({ path: '/v1/batch', method: 'POST', headers, body });
      const text = await answer.body.text();
      times[number] = performance.now() - sentAt;
      if (answer.statusCode !== 200) throw new Error(`a batch was answered ${answer.statusCode}: ${text}`);
    }
  }),
);
const seconds = (performance.now() - startedAt) / 1000;
process.send?.({
  eventsPerSecond: (bodies.length * batchSize) / seconds,
  p99Ms: percentile(times, 0.99),
} satisfies Answered);
await pool.close();
process.disconnect?.();

function batchOf(): unknown[] {
  return Array.from({ length: batchSize }, (_, index) => ({
    type: 'track',
    // As the most used library makes it, so that neither side inserts its ids in order.
    messageId: `node-next-${Date.now()}-${randomUUID()}`,
    timestamp: new Date().toISOString(),
    userId: `user-${index}`,
    event: 'Order Completed',
    properties: { total: index, currency: 'EUR', text: 'x'.repeat(200), items: [{ sku: 'a1', price: 3.5 }] },
    context: { library: { name: 'bench', version: '1.0.0' }, ip: '192.0.2.1' },
  }));
}
