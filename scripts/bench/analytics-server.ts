import { createServer, type ServerResponse } from 'node:http';

/** What a bench's server saw and does. */
export interface BenchServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: Seen[];
  mostOpen: number;
  /** Answers request number `n`, from 0. */
  answer: (n: number, response: ServerResponse) => void;
}

export interface Seen {
  readonly at: number;
  readonly batch: readonly Readonly<Record<string, unknown>>[];
}

export const accept = (response: ServerResponse): void => void response.end('{"success":true}');

export async function benchServer(keepBatches = true): Promise<BenchServer> {
  let open = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open += 1;
    it.mostOpen = Math.max(it.mostOpen, open);
    response.on('close', () => (open -= 1));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      it.seen.push({ at: Date.now(), batch: keepBatches ? batchOf(Buffer.concat(chunks)) : [] });
      it.answer(it.seen.length - 1, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const it: BenchServer = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    seen: [],
    mostOpen: 0,
    answer: (_, response) => accept(response),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return it;
}

function batchOf(body: Buffer): Seen['batch'] {
  // A redirect that is followed comes as a GET without a body.
  if (body.length === 0) return [];
  const parsed: { batch: Seen['batch'] } = JSON.parse(body.toString('utf8'));
  return parsed.batch;
}
