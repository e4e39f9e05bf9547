import { join } from 'node:path';
import { createConfigClient } from '../../client/config/index.ts';
import { startRouterProcess } from '../router/router-process.ts';
import { againstFloor } from './against-floor.ts';
import { type Bench, sized } from './bench.ts';
import { answerOf, startChild, urlOf } from './child.ts';
import { type Figure, figuresOf } from './figures.ts';
import { inFolder } from './folder.ts';

const TOKEN = 'ingest-bench-token-0123456789';
/** Nobody listens there, so the destination is parked after a few attempts, and the bench is of ingestion alone. */
const NOWHERE = 'http://127.0.0.1:9/hook';

interface Load {
  readonly batchSize: number;
  readonly events: number;
  readonly connections: number;
}

/** Long enough that both sides work at full speed for most of it; a fifth as many go first. */
const LOADS = [
  { id: 'ingest-1', batchSize: 1, events: 20_000, connections: 16, atLeast: 0.7 },
  { id: 'ingest-20', batchSize: 20, events: 100_000, connections: 16, atLeast: 0.88 },
  { id: 'ingest-100', batchSize: 100, events: 400_000, connections: 16, atLeast: 0.92 },
  { id: 'ingest-1-of-256', batchSize: 1, events: 20_000, connections: 256, atLeast: 0.65 },
] as const;
/** Of so many connections, the slowest answers beside those of the bare server. */
const CROWD = 256;
const CROWD_P99 = { atMost: 2 } as const;

export interface Answered {
  readonly eventsPerSecond: number;
  readonly p99Ms: number;
}

export const ingest: Bench = {
  name: 'ingest',
  about: 'events accepted durably over 16 connections, and over 256, against a bare server that parses and inserts',
  runs: 5,
  isStandard: true,
  measure: async (wish) => {
    const figures: Figure[] = [];
    for (const { id, atLeast, ...full } of LOADS) {
      const wanted = { ...full, events: sized(full.events, wish) };
      const [ours, floors]: [Answered[], Answered[]] = [[], []];
      const kept = async (list: Answered[], answered: Promise<Answered>): Promise<number> => {
        list.push(await answered);
        return list.at(-1)?.eventsPerSecond ?? NaN;
      };
      const what = `ingest in batches of ${full.batchSize}${full.connections === CROWD ? ` over ${CROWD} connections` : ''}`;
      figures.push(
        ...(await againstFloor(
          wish,
          { id, what, floor: 'a bare durable server', atLeast },
          () => kept(ours, routerIngest(wanted)),
          () => kept(floors, bareIngest(wanted)),
        )),
      );
      if (full.connections === CROWD) figures.push(...slowestFigures(what, ours, floors));
    }
    return figures;
  },
};

function slowestFigures(what: string, ours: readonly Answered[], floors: readonly Answered[]): Figure[] {
  const pairs = ours.map((own, index) => ({ own: own.p99Ms, floor: floors[index]?.p99Ms ?? NaN }));
  return figuresOf(pairs, [
    [`${what}, p99 of an answer, against a bare durable server`, '', ({ own, floor }) => own / floor, CROWD_P99],
    [`${what}, p99 of an answer`, 'ms', ({ own }) => own],
  ]);
}

/** Events per second that the router accepts durably, with checks, dedup and routing to one destination. */
function routerIngest(wanted: Load): Promise<Answered> {
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
      await load(router.url, writeKey, warmUpOf(wanted));
      return await load(router.url, writeKey, wanted);
    } finally {
      await router.stop();
    }
  });
}

/** The same load on the bare server. */
function bareIngest(wanted: Load): Promise<Answered> {
  return inFolder(async (folder) => {
    const child = startChild('./bare-ingest.ts', join(folder, 'bare.sqlite'));
    const url = await urlOf(child);
    await load(url, 'none', warmUpOf(wanted));
    const figure = await load(url, 'none', wanted);
    child.disconnect();
    return figure;
  });
}

function warmUpOf(wanted: Load): Load {
  return { ...wanted, events: Math.ceil(wanted.events / 5) };
}

function load(url: string, writeKey: string, { batchSize, events, connections }: Load): Promise<Answered> {
  const numbers = [batchSize, events, connections].map(String);
  return answerOf<Answered>(startChild('./ingest-load.ts', url, writeKey, ...numbers));
}

async function connect(url: string): Promise<string> {
  const client = createConfigClient({ baseUrl: url, token: TOKEN });
  const { name, write_keys: keys } = await client.sources.create({ name: 'workspaces/main/sources/bench' });
  const config = [{ name: 'hooks', value: [{ hook: NOWHERE }] }];
  await client.destinations.create({ name: `${name}/destinations/webhooks`, enabled: true, config });
  return keys[0] ?? '';
}
