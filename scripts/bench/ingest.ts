import { join } from 'node:path';
import { createConfigClient } from '../../client/config/index.ts';
import { startRouterProcess } from '../router/router-process.ts';
import { againstFloor } from './against-floor.ts';
import { type Bench, sized } from './bench.ts';
import { answerOf, startChild, urlOf } from './child.ts';
import type { Figure } from './figures.ts';
import { inFolder } from './folder.ts';

const TOKEN = 'ingest-bench-token-0123456789';
/** Nobody listens there, so the destination is parked after a few attempts, and the bench is of ingestion alone. */
const NOWHERE = 'http://127.0.0.1:9/hook';

/** Long enough that both sides work at full speed for most of it; a fifth as many go first. */
const LOADS = [
  { batchSize: 1, events: 20_000, atLeast: 0 },
  { batchSize: 20, events: 100_000, atLeast: 0 },
  { batchSize: 100, events: 400_000, atLeast: 0.7 },
] as const;

export const ingest: Bench = {
  name: 'ingest',
  about: 'events accepted durably over 16 connections, against a bare server that parses and inserts',
  runs: 5,
  isStandard: true,
  measure: async (wish) => {
    const figures: Figure[] = [];
    for (const { batchSize, events, atLeast } of LOADS) {
      const count = sized(events, wish);
      figures.push(
        ...(await againstFloor(
          wish,
          {
            id: `ingest-${batchSize}`,
            what: `ingest in batches of ${batchSize}`,
            floor: 'a bare durable server',
            atLeast,
          },
          () => routerIngest(batchSize, count),
          () => bareIngest(batchSize, count),
        )),
      );
    }
    return figures;
  },
};

/** Events per second that the router accepts durably, with checks, dedup and routing to one destination. */
async function routerIngest(batchSize: number, events: number): Promise<number> {
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
      await load(router.url, writeKey, batchSize, Math.ceil(events / 5));
      return await load(router.url, writeKey, batchSize, events);
    } finally {
      await router.stop();
    }
  });
}

/** The same load on the bare server. */
async function bareIngest(batchSize: number, events: number): Promise<number> {
  return inFolder(async (folder) => {
    const child = startChild('./bare-ingest.ts', join(folder, 'bare.sqlite'));
    const url = await urlOf(child);
    await load(url, 'none', batchSize, Math.ceil(events / 5));
    const figure = await load(url, 'none', batchSize, events);
    child.disconnect();
    return figure;
  });
}

async function load(url: string, writeKey: string, batchSize: number, events: number): Promise<number> {
  const child = startChild('./ingest-load.ts', url, writeKey, String(batchSize), String(events));
  return (await answerOf<{ eventsPerSecond: number }>(child)).eventsPerSecond;
}

async function connect(url: string): Promise<string> {
  const client = createConfigClient({ baseUrl: url, token: TOKEN });
  const { name, write_keys: keys } = await client.sources.create({ name: 'workspaces/main/sources/bench' });
  const config = [{ name: 'hooks', value: [{ hook: NOWHERE }] }];
  await client.destinations.create({ name: `${name}/destinations/webhooks`, enabled: true, config });
  return keys[0] ?? '';
}
