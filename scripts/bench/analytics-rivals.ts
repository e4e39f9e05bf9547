import { Analytics as Peer } from '@segment/analytics-node';
import { Analytics, type AnalyticsOptions, type CallResult } from '../../client/analytics/index.ts';

/** What the benches do with either library. */
export interface Rival {
  readonly name: 'peer' | 'waybill';
  /** Gives how the call said it went. */
  track(properties: Record<string, unknown>, extra?: Record<string, unknown>, done?: () => void): string;
  flush(): Promise<unknown>;
  close(timeoutMs?: number): Promise<unknown>;
  /** Hears of each event that was delivered. */
  listen(listener: () => void): void;
  /** Successes and failures that were reported, by event or callback. */
  readonly reported: string[];
}

export interface RivalOptions {
  readonly host: string;
  readonly batch?: number;
  readonly intervalMs?: number;
  readonly retries?: number;
  readonly maxQueueSize?: number;
  readonly off?: boolean;
}

/** @segment/analytics-node 3.1.0, with everything at its default that is not given. */
export function peer(options: RivalOptions): Rival {
  const { host, batch, intervalMs, retries, off } = options;
  const client = new Peer({
    writeKey: 'key',
    host,
    ...(batch === undefined ? {} : { flushAt: batch }),
    ...(intervalMs === undefined ? {} : { flushInterval: intervalMs }),
    ...(retries === undefined ? {} : { maxRetries: retries }),
    ...(off === undefined ? {} : { disable: off }),
  });
  const reported: string[] = [];
  client.on('track', () => reported.push('success'));
  client.on('error', () => reported.push('failure'));
  return {
    name: 'peer',
    reported,
    track: (properties, extra = {}, done) =>
      attempt(() => client.track({ userId: 'u', event: 'e', properties, ...extra }, done)),
    listen: (listener) => void client.on('track', listener),
    flush: () => client.flush(),
    close: (timeout) => client.closeAndFlush(timeout === undefined ? {} : { timeout }),
  };
}

export function waybill(options: RivalOptions): Rival {
  const { host, batch, intervalMs, retries, off, maxQueueSize } = options;
  const given: AnalyticsOptions<false> = {
    host,
    logger: { debug: () => {}, warn: () => {}, error: () => {} },
    uploadSize: batch,
    uploadInterval: intervalMs === undefined ? undefined : intervalMs / 1000,
    maxRetries: retries,
    send: off !== true,
    maxQueueSize,
  };
  const client = new Analytics('key', given);
  const reported: string[] = [];
  client.on('delivered', ({ messageIds }) => reported.push(...messageIds.map(() => 'success')));
  client.on('failed', ({ messageIds }) => reported.push(...messageIds.map(() => 'failure')));
  const track = (fields: object): CallResult => Reflect.apply(client.track, undefined, [fields]);
  return {
    name: 'waybill',
    reported,
    track: (properties, extra = {}, done) =>
      attempt(() => track({ userId: 'u', event: 'e', properties, onSettled: done, ...extra })),
    listen: (listener) => void client.on('delivered', listener),
    flush: () => client.flush(),
    close: (timeoutMs) => client.close(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** Neither library is allowed to hide how its call ended. */
function attempt(call: () => unknown): string {
  try {
    const result = call();
    const isRefused = typeof result === 'object' && result !== null && 'reason' in result;
    return isRefused ? `refused: ${String(result.reason)}` : 'taken';
  } catch (error) {
    return `threw ${error instanceof Error ? error.name : 'something'}`;
  }
}
