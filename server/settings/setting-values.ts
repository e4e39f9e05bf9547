/** How the text of each kind of setting is read. Each throws with what would do instead. */
import { createAddressGuard } from '../delivery/address-guard.ts';
import type { EgressProxy } from '../delivery/egress-proxy.ts';
import { DEFAULT_POLICY } from '../model/policy.ts';
import { readPlace } from '../storage/place.ts';
import { IN_CLEAR } from '../storage/secrets/keyring.ts';

const SECRET_KEY_BYTES = 32;

export function text(value: string): string {
  return value;
}

/** Kubernetes names variables after each Service: those of one that is called waybill look like settings. */
const SERVICE_LINK = '; Kubernetes sets this for a Service named waybill: set enableServiceLinks: false for the pod';

export function port(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= 65_535) return number;
  throw new Error(`must be an integer from 0 to 65535${/^(tcp|udp|sctp):/.test(value) ? SERVICE_LINK : ''}`);
}

export function token(value: string): string {
  if (/^[\x21-\x7e]{20,200}$/.test(value)) return value;
  throw new Error('must be 20 to 200 printable characters without spaces');
}

/** A key of 32 bytes; `none` first stands for no encryption. */
export type SecretKey = Uint8Array | typeof IN_CLEAR;

/** By commas or lines, the newest first. What is wrong about one is told by its place: it is a secret. */
export function secretKeys(value: string): readonly SecretKey[] {
  const keys = value.split(/[\s,]+/).filter((key) => key !== '');
  return keys.map((key, index) => {
    if (key === IN_CLEAR && index === 0) return key;
    const bytes = Buffer.from(key, 'base64');
    if (bytes.length === SECRET_KEY_BYTES && /^[\w+/-]+=?$/.test(key)) return bytes;
    const what = `key ${index + 1} of ${keys.length} is not 32 bytes in base64`;
    throw new Error(`${what}; make one with: openssl rand -base64 32`);
  });
}

export function storage(value: string): string {
  if (/^(file:.|postgres(ql)?:\/\/.)/.test(value)) return readPlace(value).url;
  throw new Error('must be file:<folder> or postgres://<user>:<password>@<host>/<database>');
}

/** A folder is no secret; of a database only that it is one. */
export function shownStorage(value: string): string {
  return value.startsWith('file:') ? value : 'postgres://…';
}

export function slug(value: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(value)) return value;
  throw new Error('must begin with a letter or digit, followed by letters, digits, dots, hyphens or underscores');
}

export function networks(value: string): readonly string[] {
  const blocks = value
    .split(',')
    .map((block) => block.trim())
    .filter((block) => block !== '');
  createAddressGuard(blocks);
  return blocks;
}

/** Where others reach the router; a path in it is that of a proxy which takes it off. */
export function publicUrl(value: string): string {
  const url = URL.parse(value);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !/[?#@]/.test(value);
  if (isPlain) return url.origin + url.pathname.replace(/\/+$/, '');
  throw new Error('must be an http or https URL such as https://events.example.com, without a query');
}

export function egressProxy(value: string): EgressProxy {
  const url = URL.parse(value);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.host === '' ||
    !/^\/?$/.test(url.pathname + url.search + url.hash)
  )
    throw new Error(
      'must be http://<host>:<port> or https://<host>:<port>, with <user>:<password>@ before the host if it asks for them',
    );
  const credentials = [url.username, url.password].map(decoded).join(':');
  const authorization = credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url: new URL(url.origin), authorization };
}

function decoded(credential: string): string {
  try {
    return decodeURIComponent(credential);
  } catch (cause) {
    throw new Error('has a "%" in its user or password that is followed by no two hex digits: write it as %25', {
      cause,
    });
  }
}

/** Its credentials are secret, and where it is is none. */
export function shownProxy(value: string): string {
  return value === '' ? '' : egressProxy(value).url.origin;
}

export function onOff(value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw new Error('must be on or off');
}

export function keyPolicy(value: string): 'reject' | 'accept' {
  if (value === 'reject' || value === 'accept') return value;
  throw new Error('must be reject or accept');
}

export function profilePolicy(value: string): 'audiences' | 'always' {
  if (value === 'audiences' || value === 'always') return value;
  throw new Error('must be audiences or always');
}

export function count(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && Number.isSafeInteger(number)) return number;
  throw new Error('must be an integer of at least 1');
}

const SIZES: Readonly<Record<string, number>> = { KB: 1_000, MB: 1_000_000, GB: 1_000_000_000 };

/** A limit; 0 switches it off. */
export function limit(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw new Error('must be an integer of at least 0; 0 is unlimited');
}

/** The largest batch comes compressed to its own length, and those without a key in a header have half of all. */
const [LEAST_BYTES, MOST_BYTES] = [4_000_000, 1e12];

/** In bytes. With less, some batches would be told for ever to come again. */
export function bodyMemory(value: string): number {
  const match = /^(\d+)(KB|MB|GB)$/.exec(value);
  const bytes = Number(match?.[1]) * (SIZES[match?.[2] ?? ''] ?? Number.NaN);
  if (bytes > MOST_BYTES) throw new Error('must be at most 1000GB');
  if (bytes >= LEAST_BYTES) return bytes;
  if (bytes > 0) throw new Error('must be at least 4MB, of which the largest batch takes a quarter');
  throw new Error('must be an integer above 0 with a unit: 500KB, 64MB or 1GB');
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: MINUTE_MS, h: 3_600_000, d: DAY_MS };

/** What is longer is a mistake, and may lead to times that no date can be. */
const MOST_DAYS = 3_650;

export function duration(value: string): number {
  return durationUpTo(MOST_DAYS * DAY_MS, `${MOST_DAYS}d`, value);
}

/** Timers of Node hold no more than 2^31 ms. */
const MOST_TIMER_DAYS = 24;

export function timeout(value: string): number {
  return durationUpTo(MOST_TIMER_DAYS * DAY_MS, `${MOST_TIMER_DAYS}d`, value);
}

function durationUpTo(mostMs: number, most: string, value: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value);
  const ms = Number(match?.[1]) * (UNITS[match?.[2] ?? ''] ?? Number.NaN);
  if (ms > mostMs) throw new Error(`must be at most ${most}`);
  // Node refuses fractions, and 1.1m is 66000.00000000001.
  if (ms > 0) return Math.max(1, Math.round(ms));
  throw new Error('must be a number above 0 with a unit: 250ms, 10s, 5m, 4h or 7d');
}

/** Waits grow from it. */
export function firstWait(value: string): number {
  const { maxWaitMs } = DEFAULT_POLICY;
  return durationUpTo(maxWaitMs, `${maxWaitMs / MINUTE_MS}m, to which waits grow`, value);
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function logLevel(value: string): string {
  if (LOG_LEVELS.includes(value)) return value;
  throw new Error(`must be one of ${LOG_LEVELS.join(', ')}`);
}
