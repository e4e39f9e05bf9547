import { type ConfigClient, type ConfigClientOptions, createConfigClient } from '../../config/index.ts';
import { ConfigClock } from './config-clock.ts';
import { ConfigStub, TOKEN } from './config-stub.ts';

/** What a request may take, in these tests: longer than any wait before a repetition, so that the clock holds it. */
export const TIMEOUT_MS = 1_000_000;

/** The moment at which these tests happen. */
export const NOW = Date.parse('2026-11-20T23:10:38Z');

/** A stub, a clock, and clients of both, for which random is always the least. */
export interface ConfigWorld extends AsyncDisposable {
  readonly stub: ConfigStub;
  readonly clock: ConfigClock;
  readonly connect: (options?: Partial<ConfigClientOptions>) => ConfigClient;
  readonly client: ConfigClient;
}

/** Each test has a world of its own. One that leaves a timer of the client running fails at its end. */
export async function startConfigWorld(): Promise<ConfigWorld> {
  const stub = await ConfigStub.start();
  const clock = new ConfigClock(TIMEOUT_MS - 1, NOW);
  const defaults = { baseUrl: stub.url, token: TOKEN, timeoutMs: TIMEOUT_MS, clock, random: () => 0 };
  const connect: ConfigWorld['connect'] = (options = {}) => createConfigClient({ ...defaults, ...options });
  return {
    stub,
    clock,
    connect,
    client: connect(),
    async [Symbol.asyncDispose]() {
      await stub[Symbol.asyncDispose]();
      if (clock.held > 0) throw new Error(`${clock.held} timers of the client are still running`);
    },
  };
}
