import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createConfigClient, webhooksConfig } from '../../../client/config/index.ts';
import { inFolder } from '../folder.ts';
import { destinationName, sourceName } from '../names.ts';
import { numberedCall } from '../numbered-event.ts';
import { type CountedRouter, startCountedRouter } from './counted-router.ts';

/** A fixed amount of what a router does all day: requests one after the other, each complete before the next. */
interface Work {
  readonly id: string;
  readonly what: string;
  readonly batchSize: number;
  readonly requests: number;
  /** Whether events go to a webhook, or nowhere. */
  readonly isDelivered: boolean;
}

const WORKS: readonly Work[] = [
  { id: 'ingest-1', what: 'an event accepted alone', batchSize: 1, requests: 100, isDelivered: false },
  { id: 'ingest-20', what: 'an event accepted in a batch of 20', batchSize: 20, requests: 20, isDelivered: false },
  { id: 'through-1', what: 'an event accepted alone and delivered', batchSize: 1, requests: 60, isDelivered: true },
  {
    id: 'through-20',
    what: 'one accepted and delivered in a batch of 20',
    batchSize: 20,
    requests: 10,
    isDelivered: true,
  },
];

/** What is done by the clock (a collection of garbage, a beat) happens in some turns: the least of them has the least of it. */
const TURNS = 5;

const TOKEN = 'token-of-the-gate-0123456789';

/** Instructions of an event, by the id of the work. */
export interface Count {
  readonly id: string;
  readonly what: string;
  readonly instructions: number;
}

/** Starts a router and has it do each work. */
export async function countWorks(tell: (words: string) => void): Promise<Count[]> {
  return inFolder(async (folder) => {
    tell('starting a router under callgrind');
    await using router = await startCountedRouter(folder, { token: TOKEN });
    await using receiver = await startReceiver();
    const keys = await connect(router.url, receiver.url);
    const counts: Count[] = [];
    let first = 0;
    for (const work of WORKS) {
      tell(work.what);
      const perform = (): Promise<void> =>
        send(router, receiver, keys[work.isDelivered ? 1 : 0] ?? '', work, (first += 1_000));
      await perform();
      const turns: number[] = [];
      while (turns.length < TURNS) turns.push(await router.count(perform));
      const instructions = Math.round(Math.min(...turns) / (work.batchSize * work.requests));
      counts.push({ id: work.id, what: work.what, instructions });
    }
    return counts;
  });
}

async function send(
  router: CountedRouter,
  receiver: Receiver,
  writeKey: string,
  work: Work,
  first: number,
): Promise<void> {
  const { batchSize, requests, isDelivered } = work;
  for (let request = 0; request < requests; request += 1) {
    const batch = Array.from({ length: batchSize }, (_, place) => numberedCall(first + request * batchSize + place));
    const came = isDelivered ? receiver.next(batchSize) : undefined;
    const answer = await fetch(`${router.url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`a batch was answered ${answer.status}: ${text}`);
    await came;
  }
}

interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Resolves when so many more events have come. */
  next(count: number): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  let [left, resolve] = [0, (): void => {}];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      left -= 1;
      if (left === 0) resolve();
    });
  });
  return {
    url: await urlOf(server),
    next: (count) => {
      left = count;
      return new Promise((whenCame) => (resolve = whenCame));
    },
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function urlOf(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address');
  return `http://127.0.0.1:${address.port}/`;
}

/** The write keys of a source without a destination, and of one with a webhook. */
async function connect(url: string, hook: string): Promise<string[]> {
  const client = createConfigClient({ baseUrl: url, token: TOKEN });
  const keys: string[] = [];
  for (const source of [0, 1])
    keys.push((await client.sources.create({ name: sourceName(source) })).write_keys[0] ?? '');
  const config = webhooksConfig({ hooks: [{ hook }], sharedSecret: 's3cret' });
  await client.destinations.create({ name: destinationName(1), enabled: true, config });
  return keys;
}
