import type { TestContext } from 'vitest';
import { type ConfigClient, type ConfigClientOptions, createConfigClient } from '../../config/index.ts';
import { ConfigClock } from './config-clock.ts';
import { ConfigStub, TOKEN } from './config-stub.ts';

/** What a request may take, in these tests: longer than any wait before a repetition, so that the clock holds it. */
export const TIMEOUT_MS = 1_000_000;

/** The moment at which these tests happen. */
export const NOW = Date.parse('2026-11-20T23:10:38Z');

/** Each test has a stub of its own, a clock of its own, and clients of both, for which random is always the least. */
export interface ConfigFixtures {
  readonly stub: ConfigStub;
  readonly clock: ConfigClock;
  readonly connect: (options?: Partial<ConfigClientOptions>) => ConfigClient;
  readonly client: ConfigClient;
}

type Use<Value> = (value: Value) => Promise<void>;
type Needs<Name extends keyof ConfigFixtures> = TestContext & Pick<ConfigFixtures, Name>;

/** For `test.extend`. A test that leaves a timer of the client running fails. */
export const configFixtures = {
  // oxlint-disable-next-line no-empty-pattern -- vitest reads what a fixture needs from this pattern
  stub: async ({}: TestContext, use: Use<ConfigStub>) => {
    await using stub = await ConfigStub.start();
    await use(stub);
  },
  // oxlint-disable-next-line no-empty-pattern -- see above
  clock: async ({}: TestContext, use: Use<ConfigClock>) => {
    const clock = new ConfigClock(TIMEOUT_MS - 1, NOW);
    await use(clock);
    if (clock.held > 0) throw new Error(`${clock.held} timers of the client are still running`);
  },
  connect: async ({ stub, clock }: Needs<'stub' | 'clock'>, use: Use<ConfigFixtures['connect']>) => {
    const defaults = { baseUrl: stub.url, token: TOKEN, timeoutMs: TIMEOUT_MS, clock, random: () => 0 };
    await use((options = {}) => createConfigClient({ ...defaults, ...options }));
  },
  client: async ({ connect }: Needs<'connect'>, use: Use<ConfigClient>) => use(connect()),
};
