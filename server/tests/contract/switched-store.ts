import type { ConfigStore } from '../../storage/config-store.ts';
import type { RateLimit } from '../../http/allowance.ts';

/** What the next requests meet behind the ports of the router. */
export interface Switches {
  /** The store behind; another one in its place is a restart. */
  current: ConfigStore;
  /** What every call of the store fails with while it is set. */
  failure: Error | undefined;
  /** True: tokens are still found while the rest fails, so that the failure meets a handler. */
  sparesTokens: boolean;
  /** True: nobody has a request left in this minute. */
  isRateOver: boolean;
}

/** A store that passes every call on, or fails, as the switches say: the port is what fails, and no module is mocked. */
export function switchedStore(switches: Switches): ConfigStore {
  return new Proxy(switches.current, {
    get: (_first, key) => {
      const member: unknown = Reflect.get(switches.current, key);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        const spared = key === 'tokenByHash' && switches.sparesTokens;
        if (switches.failure !== undefined && !spared) return Promise.reject(switches.failure);
        return Reflect.apply(member, switches.current, values);
      };
    },
  });
}

export function switchedRateLimit(isOver: () => boolean): RateLimit {
  return { take: async () => ({ isWithin: !isOver(), limit: 200, remaining: 0, resetS: 1 }) };
}
