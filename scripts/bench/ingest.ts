import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfigClient } from '../../client/config/index.ts';
import { startRouterProcess } from '../router/router-process.ts';
import { answerOf, startChild, urlOf } from './child.ts';

const TOKEN = 'ingest-bench-token-0123456789';
/** Nobody listens there, so the destination is parked after a few attempts, and the bench is of ingestion alone. */
const NOWHERE = 'http://127.0.0.1:9/hook';

/** Events per second that the router accepts durably, with checks, dedup and routing to one destination. */
export async function routerIngest(batchSize: number, events: number): Promise<number> {
  return inFolder(async (folder) => {
    const flags = {
      port: '0',
      'data-dir': folder,
      token: TOKEN,
      'allow-networks': '127.0.0.0/8',
    };
    const router = await startRouterProcess(flags);
    try {
      const writeKey = await connect(router.url);
      await load(router.url, writeKey, batchSize, Math.ceil(events / 10), 'warm');
      return await load(router.url, writeKey, batchSize, events, 'run');
    } finally {
      await router.stop();
    }
  });
}

/** The same load on the bare server. */
export async function bareIngest(batchSize: number, events: number): Promise<number> {
  return inFolder(async (folder) => {
    const child = startChild('./bare-ingest.ts', join(folder, 'bare.sqlite'));
    const url = await urlOf(child);
    await load(url, 'none', batchSize, Math.ceil(events / 10), 'warm');
    const figure = await load(url, 'none', batchSize, events, 'run');
    child.disconnect();
    return figure;
  });
}

async function load(url: string, writeKey: string, batchSize: number, events: number, run: string): Promise<number> {
  const child = startChild('./ingest-load.ts', url, writeKey, String(batchSize), String(events), run);
  return (await answerOf<{ eventsPerSecond: number }>(child)).eventsPerSecond;
}

async function connect(url: string): Promise<string> {
  const client = createConfigClient({ baseUrl: url, token: TOKEN });
  const { name, write_keys: keys } = await client.sources.create({ name: 'workspaces/main/sources/bench' });
  const config = [{ name: 'hooks', value: [{ hook: NOWHERE }] }];
  await client.destinations.create({ name: `${name}/destinations/webhooks`, enabled: true, config });
  return keys[0] ?? '';
}

async function inFolder(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
