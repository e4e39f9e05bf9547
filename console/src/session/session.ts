import { type ConfigClient, createConfigClient } from '@waybill/client/config';

const KEY = 'waybill.token';

/** Who looks at a page is told at once what takes longer, and when to try again. */
const LONGEST_WAIT_MS = 2_000;

/** Who is signed in. The token stays in this tab, and goes with it. */
export interface Session {
  /** Undefined when nobody is. */
  readonly client: ConfigClient | undefined;
  signIn(token: string): void;
  signOut(): void;
}

export function createSession(storage: Storage, baseUrl: string): Session {
  let client = clientOf(storage.getItem(KEY), baseUrl);
  return {
    get client() {
      return client;
    },
    signIn(token) {
      client = clientOf(token, baseUrl);
      storage.setItem(KEY, token);
    },
    signOut() {
      client = undefined;
      storage.removeItem(KEY);
    },
  };
}

/** Throws a TypeError for what cannot be a token. */
export function clientOf(token: string | null, baseUrl: string): ConfigClient | undefined {
  if (token === null) return undefined;
  return createConfigClient({ baseUrl, token, retry: { maxRetries: 1, longestWaitMs: LONGEST_WAIT_MS } });
}
