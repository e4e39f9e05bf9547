import { Agent, createServer, request } from 'node:http';
import Koa from 'koa';
import { createAdmission } from '../../server/http/admission.ts';
import { createClientAddresses } from '../../server/http/client-addresses.ts';
import { createDroppedEvents } from '../../server/losses/dropped-events.ts';
import { createIngestionApi } from '../../server/ingestion/ingestion-api.ts';
import { newMessageId } from '../../server/events/message-id.ts';
import type { ConfigStore } from '../../server/storage/config-store.ts';
import type { Intake } from '../../server/events/intake.ts';
import { systemClock } from '../../server/system-clock.ts';
import type { Input } from './inputs.ts';
import { createTurns } from '../../server/evaluation/turns.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Something that answers requests. */
export interface Target extends AsyncDisposable {
  send(input: Input): Promise<Reply>;
}

const SOURCE = 'workspaces/main/sources/fuzz';

/** Ingestion over HTTP, in this process, so that its memory is ours to measure. What it accepts is written as JSON, and dropped. */
export async function startIngestionTarget(accept: Intake['accept'] = writeAsJson): Promise<Target> {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const api = createIngestionApi({
    config: oneSource(),
    intake: { accept },
    addresses: createClientAddresses([]),
    admission: createAdmission({ requests: 1_000, bytes: 64_000_000 }, () => 0),
    dropped: createDroppedEvents(),
    turns: createTurns(),
    clock: systemClock,
    log: silent,
    newId: newMessageId,
  });
  const app = new Koa().use(api);
  app.silent = true;
  const handle = app.callback();
  const server = createServer((incoming, response) => void handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    send: (input) => send(agent, port, input),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function writeAsJson({ events }: Parameters<Intake['accept']>[0]): ReturnType<Intake['accept']> {
  for (const event of events) JSON.parse(JSON.stringify(event));
  return Promise.resolve({ accepted: events.length, duplicates: 0 });
}

/** Knows one key; nothing else is asked of it. */
function oneSource(): ConfigStore {
  const source = { name: SOURCE, library_config: { api_host: '', metrics_enabled: true } };
  const known = { sourceByWriteKey: (key: string) => Promise.resolve(key === 'k'.repeat(32) ? source : undefined) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ingestion asks for sources alone, and for these fields
  return known as unknown as ConfigStore;
}

function send(agent: Agent, port: number, { path, headers, body }: Input): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const sending = request({ agent, port, path, method: 'POST', headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
    );
  });
  sending.on('error', reject);
  sending.end(body);
  return promise;
}
