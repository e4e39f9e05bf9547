import { type Clock, systemClock } from './clock.ts';
import { globalFetch } from './fetch.ts';
import { batchUrl, HOSTS } from './hosts.ts';
import type { AnalyticsOptions, Settings } from './options.ts';
import { EVENT_BYTES } from './serialize.ts';

const TWELVE_HOURS_MS = 43_200_000;

/** Every option and its default (LIB-5); `undefined` stands for none. */
export const DEFAULTS = {
  debug: false,
  send: true,
  onError: undefined,
  maxQueueSize: 10_000,
  uploadInterval: 0.5,
  uploadSize: 100,
  gzip: false,
  syncMode: false,
  host: HOSTS.default,
  maxQueueBytes: 32 * 1024 * 1024,
  maxInFlight: 1,
  maxRetries: 10,
  requestTimeoutMs: 15_000,
  maxTotalBackoffMs: TWELVE_HOURS_MS,
  maxRateLimitMs: TWELVE_HOURS_MS,
  exitTimeoutMs: 5_000,
  fetch: globalFetch,
  logger: console,
  store: undefined,
  clock: systemClock,
  random: Math.random,
} as const satisfies { [Name in keyof Required<AnalyticsOptions>]: AnalyticsOptions[Name] };

/** With a store, messages wait for the server as long as it takes, as they outlive the process, unless it is told otherwise. */
const PATIENCE = { maxRetries: Infinity, maxTotalBackoffMs: Infinity, maxRateLimitMs: Infinity };

/** The least and the most that a number may be, if not any from 0 on. */
const RANGES: Readonly<Partial<Record<keyof AnalyticsOptions, readonly [number, number]>>> = {
  maxQueueSize: [1, Infinity],
  uploadInterval: [0, 86_400],
  uploadSize: [1, 2_500],
  maxQueueBytes: [EVENT_BYTES, Infinity],
  maxInFlight: [1, 1_000],
  requestTimeoutMs: [1, 86_400_000],
  exitTimeoutMs: [0, 86_400_000],
};

/** A URL with a path at most behind its address. */
const HOST = /^https?:\/\/[^/?#@\s]+(\/[^?#]*)?$/i;

/** Checks every option at once, so that a mistake shows where it was made, and not as missing data later. */
export function settingsOf(writeKey: unknown, options: AnalyticsOptions): Settings {
  const given: Record<string, unknown> = { ...(options.store && PATIENCE) };
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name)) throw new TypeError(`There is no option "${name}"`);
    if (value === undefined) continue;
    check(name, value);
    given[name] = value;
  }
  // Each value that was given was checked against its option.
  const filled = { ...DEFAULTS, ...given } as Required<AnalyticsOptions> & typeof DEFAULTS;
  const { host, uploadInterval, clock } = filled;
  return {
    ...filled,
    maxRefusals: options.maxRetries ?? DEFAULTS.maxRetries,
    clock: filled.syncMode ? awaited(clock) : clock,
    uploadSize: filled.syncMode ? 1 : filled.uploadSize,
    authorization: authorizationOf(writeKey),
    url: batchUrl(host),
    uploadIntervalMs: uploadInterval * 1000,
  };
}

/** Somebody awaits each call, so that every wait for its end keeps the process alive (LIB-12). */
function awaited(clock: Clock): Clock {
  return { now: () => clock.now(), after: (ms, run) => clock.after(ms, run, true) };
}

function isOption(name: string): name is keyof AnalyticsOptions {
  return Object.hasOwn(DEFAULTS, name);
}

function check(name: keyof AnalyticsOptions, value: unknown): void {
  if (name === 'host') {
    try {
      // Not `URL.canParse`, which browsers of before 2024 do not have.
      if (typeof value === 'string' && HOST.test(value) && new URL(value)) return;
    } catch {}
    throw new TypeError('host must be an http or https URL with no more than a path');
  }
  const wanted = name === 'onError' ? 'function' : typeof (DEFAULTS[name] ?? {});
  if (wanted === 'number') {
    const [least, most] = RANGES[name] ?? [0, Infinity];
    if (typeof value === 'number' && value >= least && value <= most) return;
    throw new TypeError(`${name} must be a number from ${least} to ${most}, got: ${String(value)}`);
  }
  if (typeof value !== wanted) throw new TypeError(`${name} must be a ${wanted}, got: ${typeof value}`);
}

/** The write key as the user of Basic authentication, with no password (ING-1). It appears in no error. */
function authorizationOf(writeKey: unknown): string {
  if (typeof writeKey !== 'string' || writeKey === '') {
    throw new TypeError('writeKey must be set: that of your source');
  }
  if (!/^[!-9;-~][!-~]*$/.test(writeKey)) {
    throw new TypeError('writeKey holds a space, leading colon or non-ASCII');
  }
  return `Basic ${btoa(`${writeKey}:`)}`;
}
