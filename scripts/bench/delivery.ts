import { join } from 'node:path';
import { Agent, request } from 'undici';
import { bytesOf, requestTo, webhookBody } from '../../server/delivery/webhook-request.ts';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import { openSqliteStorage } from '../../server/storage/file/deliveries/sqlite-storage.ts';
import { againstFloor } from './against-floor.ts';
import { fillBacklog } from './backlog-filling.ts';
import { type Bench, sized } from './bench.ts';
import { startEngine } from './engine.ts';
import { inFolder } from './folder.ts';
import { numberedEvent } from './numbered-event.ts';
import { startReceiverProcess } from './receiver-process.ts';

const BACKLOG = 100_000;
const SECRET = 's3cret';

export const delivery: Bench = {
  name: 'delivery',
  about: 'delivery of a backlog on disk to one fast receiver, against bare undici POSTs',
  runs: 5,
  isStandard: true,
  measure: async (wish) => {
    const events = sized(BACKLOG, wish);
    using receiver = await startReceiverProcess();
    const { url } = receiver;
    return await againstFloor(
      wish,
      { id: 'delivery', what: `delivery of a backlog of ${events}`, floor: 'bare undici POSTs', atLeast: 0.85 },
      () => deliverBacklog(url, events),
      () => bareLoop(url, events),
    );
  },
};

/** Events per second from a backlog on disk to a webhook, signed, with their results on disk. */
function deliverBacklog(url: string, events: number): Promise<number> {
  return inFolder(async (folder) => {
    const store = await openSqliteStorage(join(folder, 'deliveries.sqlite'));
    await fillBacklog(store, { sources: 1, first: 0, events, dueAt: Date.now() });
    const startedAt = performance.now();
    const engine = await startEngine(store, { webhooks: [{ url, headers: {} }], sharedSecret: SECRET }, DEFAULT_POLICY);
    await engine.delivered(events);
    const seconds = (performance.now() - startedAt) / 1000;
    await engine.stop();
    await store.close();
    return events / seconds;
  });
}

/** The physical limit: undici POSTs the same signed bytes over as many connections, and nothing else. */
async function bareLoop(url: string, events: number): Promise<number> {
  const agent = new Agent({ connections: DEFAULT_POLICY.perDestination, pipelining: 1, allowH2: false });
  const webhook = { url, headers: {} };
  const target = { webhooks: [webhook], sharedSecret: SECRET };
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: DEFAULT_POLICY.perDestination }, async () => {
      while (next < events) {
        const body = bytesOf(webhookBody(numberedEvent((next += 1))));
        const { headers } = requestTo(webhook, target, { messageId: 'm', at: 0, body }, 5_000);
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
        await answer.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await agent.close();
  return events / seconds;
}
