/** Sends batches over 16 connections as fast as they are answered; prints events per second. Run as a process. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

const CONNECTIONS = 16;
const [url = '', writeKey = '', size = '100', count = '20000'] = process.argv.slice(2);
const [batchSize, events] = [Number(size), Number(count)];

const bodies = Array.from({ length: Math.ceil(events / batchSize) }, () =>
  Buffer.from(JSON.stringify({ writeKey, sentAt: new Date().toISOString(), batch: batchOf() })),
);
const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1, allowH2: false });
const headers = { 'content-type': 'application/json' };

const startedAt = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const answer = await pool.request({ path: '/v1/batch', method: 'POST', headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`a batch was answered ${answer.statusCode}: ${text}`);
    }
  }),
);
const seconds = (performance.now() - startedAt) / 1000;
process.send?.({ eventsPerSecond: (bodies.length * batchSize) / seconds });
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
