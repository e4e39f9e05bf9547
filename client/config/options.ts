import { type Clock, systemClock } from './clock.ts';
import { type RetryPolicy, STANDARD_RETRY } from './retry.ts';

/** Sends one request; what `globalThis.fetch` does with a Request. */
export type Fetch = (request: Request) => Promise<Response>;

/** What is left out, or undefined, is as by default. */
export type RetryOptions = { readonly [Name in keyof RetryPolicy]?: RetryPolicy[Name] | undefined };

/** What a config client is made of. Each option is checked when the client is created. */
export interface ConfigClientOptions {
  /** Where the router listens, as `http://127.0.0.1:8080`; with the path in front of `/v1beta`, where a proxy adds one. */
  readonly baseUrl: string;
  /** The access token (S 5.1, D-8). It is sent as `Authorization: Bearer …`, and shown nowhere. */
  readonly token: string;
  /** Sends the requests; `globalThis.fetch`, as it is at the time of each request, when absent. */
  readonly fetch?: Fetch | undefined;
  /** How long each attempt may take, body included, in milliseconds; 30 000 when absent. Repetitions begin anew. */
  readonly timeoutMs?: number | undefined;
  /** How 429 and 503 are repeated (S 7.1, S 8.1); by default 4 times, after 0.5, 1, 2 and 4 s, less some jitter. */
  readonly retry?: RetryOptions | undefined;
  /** Time; the machine's own when absent. */
  readonly clock?: Clock | undefined;
  /** A uniform number in [0, 1), for the jitter; `Math.random` when absent. */
  readonly random?: (() => number) | undefined;
}

/** Options after the check, with the defaults filled in. */
export interface ConfigClientSettings {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
}

const STANDARD_TIMEOUT_MS = 30_000;

/** The longest wait that timers take; a longer one would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Throws a TypeError that names the option, the value that was seen, and what would do instead. */
export function checkOptions(options: ConfigClientOptions): ConfigClientSettings {
  requireOptions(options);
  const { clock = systemClock, random = Math.random, timeoutMs = STANDARD_TIMEOUT_MS } = options;
  // Looked up for each request, so that a mock that is installed later is seen.
  const { fetch = (request) => globalThis.fetch(request) } = options;
  requireFunction('fetch', fetch);
  for (const method of ['now', 'sleep'] as const) requireFunction(`clock.${method}`, clock[method]);
  requireFunction('random', random);
  requireWhole('timeoutMs', timeoutMs, 1);
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    token: readToken(options.token),
    retry: readRetry(options.retry),
    fetch,
    timeoutMs,
    clock,
    random,
  };
}

/** Programs without types forget them, or give an address alone. */
function requireOptions(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new TypeError(`createConfigClient: the options are ${typeof options}; give { baseUrl, token }`);
}

function readBaseUrl(given: unknown): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalid('baseUrl', given, 'give an http or https URL, like http://127.0.0.1:8080');
  }
  if (url.username !== '' || url.password !== '') {
    // Without the value: it holds a password.
    throw new TypeError('createConfigClient: baseUrl holds a user name or password; leave them out, and give a token');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (url.search !== '' || url.hash !== '') throw invalid('baseUrl', given, 'leave out the query and fragment');
  if (path.endsWith('/v1beta')) throw invalid('baseUrl', given, 'leave out /v1beta, the client adds it');
  return url.origin + path;
}

/** No message shows any part of it. */
function readToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  const seen = typeof token === 'string' ? `a string of ${token.length} characters` : typeof token;
  throw new TypeError(
    `createConfigClient: token is ${seen}; give an access token: printable ASCII characters without spaces`,
  );
}

function readRetry(given: RetryOptions = {}): RetryPolicy {
  const {
    maxRetries = STANDARD_RETRY.maxRetries,
    longestWaitMs = STANDARD_RETRY.longestWaitMs,
    firstWaitMs = Math.min(STANDARD_RETRY.firstWaitMs, longestWaitMs),
  } = given;
  requireWhole('retry.maxRetries', maxRetries, 0, 100);
  requireWhole('retry.longestWaitMs', longestWaitMs, 0);
  requireWhole('retry.firstWaitMs', firstWaitMs, 0, longestWaitMs);
  return { maxRetries, firstWaitMs, longestWaitMs };
}

function requireWhole(option: string, value: number, least: number, most = MAX_TIMER_MS): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw invalid(option, value, `give a whole number from ${least} to ${most}`);
}

function requireFunction(option: string, value: unknown): void {
  if (typeof value !== 'function') throw invalid(option, value, 'give a function, or leave it out');
}

function invalid(option: string, value: unknown, remedy: string): TypeError {
  const seen = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new TypeError(`createConfigClient: ${option} is ${seen}; ${remedy}`);
}
