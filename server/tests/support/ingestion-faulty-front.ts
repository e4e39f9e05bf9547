import { createServer, type IncomingMessage, request, type RequestListener, type ServerResponse } from 'node:http';
import { jsonAnswer, send } from '../../http/answer.ts';
import { PlainRequest } from '../../http/asked.ts';
import { headersOf } from '../../http/error-answers.ts';
import { ApiError } from '../../http/errors.ts';
import { originHeaders } from '../../ingestion/cors.ts';

/** `cut` lets a request through, and resets the connection instead of answering it. */
export type Fault = 'overload' | 'unavailable' | 'cut';

export interface FaultyFront {
  readonly url: string;
  readonly faultsLeft: () => readonly Fault[];
  readonly close: () => Promise<void>;
}

/**
 * Passes all on to the router that stands at `target` once something comes; the first POSTs meet a fault each, answered as
 * the router itself would.
 */
export async function startFaultyFront(target: () => string, faults: readonly Fault[]): Promise<FaultyFront> {
  const left = [...faults];
  const refuse = createRefusals();
  const server = createServer((incoming, response) => {
    const fault = incoming.method === 'POST' ? left.shift() : undefined;
    if (fault === undefined || fault === 'cut') passOn(target(), incoming, response, fault);
    else incoming.resume().on('end', () => refuse[fault](incoming, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    faultsLeft: () => left,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The answers of the router's own code, with what lets a page read them. */
function createRefusals(): Record<'overload' | 'unavailable', RequestListener> {
  return {
    overload: answering(new ApiError('ResourceExhausted', 'server overloaded; retry later', { retryAfterS: 1 })),
    unavailable: answering(new ApiError('Unavailable', 'the store cannot write now')),
  };
}

function answering(error: ApiError): RequestListener {
  const { status, code, message } = error;
  return (incoming, response) => {
    const answer = jsonAnswer(status, { error: message, code, message }, headersOf(error));
    send(response, answer, originHeaders(new PlainRequest(incoming)));
  };
}

function passOn(target: string, incoming: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
  const { method, headers } = incoming;
  const onward = request(target + (incoming.url ?? ''), { method, headers }, (answer) => {
    if (fault === 'cut') return void answer.resume().on('end', () => incoming.socket.resetAndDestroy());
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
}
