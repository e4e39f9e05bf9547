import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Message } from '../../analytics/wire.ts';

/** What the server does with a request; `lost` takes the batch in, and then breaks the connection. */
export type Reaction =
  | 'accept'
  | 'reset'
  | 'lost'
  | 'stall'
  | { readonly status: number; readonly retryAfter?: string };

export interface ReceivingServer extends AsyncDisposable {
  readonly url: string;
  /** Messages that were taken in, in order, repeats included. */
  readonly accepted: Message[];
  /** Batches that were taken in without the sender knowing. */
  readonly requests: number;
}

/** A real server on a free port that does with each request what the plan says. */
export async function receivingServer(plan: (request: number) => Reaction = () => 'accept'): Promise<ReceivingServer> {
  const accepted: Message[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    const reaction = plan(requests);
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      if (reaction === 'accept' || reaction === 'lost') {
        accepted.push(...batchOf(request, Buffer.concat(chunks)));
      }
      react(reaction, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    accepted,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function react(reaction: Reaction, request: IncomingMessage, response: ServerResponse): void {
  if (reaction === 'stall') return;
  if (reaction === 'reset' || reaction === 'lost') return void request.socket.destroy();
  const status = reaction === 'accept' ? 200 : reaction.status;
  const retryAfter = reaction === 'accept' ? undefined : reaction.retryAfter;
  response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  response.end(status === 200 ? '{"success":true}' : '{"error":"planned","code":14,"message":"planned"}');
}

function batchOf({ headers }: IncomingMessage, body: Buffer): Message[] {
  const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  const parsed: { batch: Message[] } = JSON.parse(plain.toString('utf8'));
  return parsed.batch;
}
