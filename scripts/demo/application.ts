import { Analytics } from '@segment/analytics-node';

/** An application that sends events for as long as it runs. */
export interface Application {
  /** Sends what it has left; answers the ids of all that was acknowledged with a 200. */
  stop(): Promise<ReadonlySet<string>>;
}

const EVERY_MS = 25;

/** The SDK as it comes from npm, pointed at a router by its host alone. */
export function startApplication(host: string, writeKey: string): Application {
  const analytics = new Analytics({ host, writeKey, flushInterval: 200, maxRetries: 100, httpRequestTimeout: 5_000 });
  const acknowledged = new Set<string>();
  // The SDK hands the body of the request out again with the answer.
  analytics.on('http_response', ({ status, body }) => {
    if (status === 200) for (const id of idsIn(body)) acknowledged.add(id);
  });
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    analytics.track({ userId: `user-${count % 100}`, event: 'Order Completed', properties: { order: count } });
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await analytics.closeAndFlush({ timeout: 60_000 });
      return acknowledged;
    },
  };
}

/** The message ids of a request that the SDK made. */
export function idsIn(body: unknown): string[] {
  // The SDK wrote it.
  const { batch }: { batch: readonly { messageId: string }[] } = JSON.parse(String(body));
  return batch.map(({ messageId }) => messageId);
}
