import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook that answers 200 and remembers which message ids it was sent, and how often. */
export interface CountingReceiver extends AsyncDisposable {
  readonly url: string;
  readonly counts: ReadonlyMap<string, number>;
  /** Resolves once all of `ids` have arrived, or rejects with how many have not within `ms`. */
  waitFor(ids: ReadonlySet<string>, ms: number): Promise<void>;
}

export async function startCountingReceiver(answerAfterMs: () => number): Promise<CountingReceiver> {
  const counts = new Map<string, number>();
  let onArrival = (): void => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { messageId }: { messageId: string } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
      onArrival();
      setTimeout(() => response.end(), answerAfterMs());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo;
  const missing = (ids: ReadonlySet<string>): number => [...ids].filter((id) => !counts.has(id)).length;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    counts,
    waitFor: (ids, ms) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${missing(ids)} of ${ids.size} never arrived`)), ms);
        onArrival = () => {
          if (counts.size < ids.size || missing(ids) > 0) return;
          clearTimeout(timer);
          resolve();
        };
        onArrival();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
