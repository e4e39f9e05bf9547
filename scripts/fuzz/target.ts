import { Agent, createServer, request } from 'node:http';
import { createAdmission } from '../../server/http/admission.ts';
import { createClientAddresses } from '../../server/http/client-addresses.ts';
import { createIngestionApi } from '../../server/ingestion/ingestion-api.ts';
import type { Directory } from '../../server/directory/directory.ts';
import { newMessageId, normalizeCalls } from '../../server/events/normalize-calls.ts';
import type { Pipeline } from '../../server/events/pipeline.ts';
import { systemClock } from '../../server/system-clock.ts';
import type { Input } from './inputs.ts';
import { createTurns } from '../../server/fairness/turns.ts';

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
export async function startIngestionTarget(receive: Pipeline['receive'] = writeAsJson): Promise<Target> {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const api = createIngestionApi({
    directory: oneSource(),
    pipeline: { receive, drop: () => undefined },
    addresses: createClientAddresses([]),
    admission: createAdmission({ requests: 1_000, bytes: 64_000_000 }, () => 0),
    turns: createTurns(),
    clock: systemClock,
    usedIds: { useOnce: () => Promise.resolve('first') },
    log: silent,
  });
  const server = createServer((incoming, response) => {
    if (!api(incoming, response)) response.writeHead(404).end();
  });
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

function writeAsJson(received: Parameters<Pipeline['receive']>[0]): Promise<void> {
  for (const event of normalizeCalls(received, newMessageId).kept) JSON.parse(JSON.stringify(event));
  return Promise.resolve();
}

/** Knows one key; nothing else is asked of it. */
function oneSource(): Pick<Directory, 'sourceByWriteKey' | 'refresh'> {
  const source = { name: SOURCE, library_config: { api_host: '', metrics_enabled: true } };
  const sourceByWriteKey = (key: string) => (key === 'k'.repeat(32) ? source : undefined);
  const known = { sourceByWriteKey, refresh: () => Promise.resolve() };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- ingestion asks for sources alone, and for these fields
  return known as unknown as Directory;
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
