import { isObject } from '../model/json-values.ts';
import type { Socket } from 'node:net';
import type { Asked } from '../http/asked.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import type { Holder } from '../http/admission.ts';
import { ApiError } from '../http/errors.ts';
import type { Directory } from '../directory/directory.ts';
import type { Received } from '../events/normalize-calls.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Resources } from '../model/resources.ts';

/** What is known of a sender before its body is read. */
export interface Caller {
  /** The source of the key in the header or the query; undefined when the key has to be in the body. */
  readonly source: Source | undefined;
  /** The keys in the header or the query, the likeliest first. */
  readonly keys: readonly string[];
  /** On whose account its body takes memory. */
  readonly holder: Holder;
  /** The key in the header that no source has, where such are accepted (D-41). */
  readonly unknownKey?: string | undefined;
  /** The access token in the header, not yet looked at. */
  readonly token: string | undefined;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The address that the request came from. */
  readonly ip: string | undefined;
  /** Of the trace that the sender began; not yet looked at. */
  readonly traceparent: string | undefined;
  /** The request itself, for the few who ask how it reached us. */
  readonly asked: Asked;
}

export interface Reached {
  /** The host that the sender called, with its port, and over which protocol; TLS ends at a proxy before us. */
  readonly host: string;
  readonly protocol: 'http' | 'https';
  /** The address and port of ours that the connection came to: `127.0.0.1:8080`. No sender can choose it. */
  readonly listener: string;
}

interface Arrival extends Pick<Caller, 'source' | 'keys' | 'receivedAt'> {
  readonly addresses: ClientAddresses;
}

export function callerOf(asked: Asked, { source, keys, receivedAt, addresses }: Arrival): Caller {
  const client = addresses.of(asked.req);
  return {
    source,
    keys,
    holder:
      source === undefined ? { id: addresses.forLimits(client), hasKey: false } : { id: source.name, hasKey: true },
    token: tokenInHeader(asked.get('authorization')),
    receivedAt,
    ip: addresses.forEvents(asked.req, client),
    traceparent: asked.get('traceparent') || undefined,
    asked,
  };
}

/** How the sender reached us. */
export function reachedBy(asked: Asked): Reached {
  return {
    host: asked.get('host'),
    protocol: firstOf(asked.get('x-forwarded-proto')) === 'https' ? 'https' : 'http',
    listener: listenerOf(asked.req.socket),
  };
}

/** Of what proxies before us say, what the first of them said. */
function firstOf(header: string): string {
  const [first = ''] = header.split(',', 1);
  return first.trim();
}

function listenerOf({ localAddress = '', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}

export interface KeyPorts {
  readonly directory: Pick<Directory, 'sourceByWriteKey' | 'refresh'>;
  readonly accessTokens: AccessTokens;
}

/** A query, a batch at its top, or a single call. */
interface KeyHolder {
  readonly writeKey?: unknown;
}

export function keyIn({ writeKey }: KeyHolder): string | undefined {
  return typeof writeKey === 'string' && writeKey !== '' ? writeKey : undefined;
}

/**
 * The key that the calls of a batch carry themselves; those that carry none belong to it too. A batch goes to one source,
 * so two keys are refused rather than one of them followed.
 */
function keyInCalls(calls: readonly unknown[]): string | undefined {
  let key: string | undefined;
  for (const call of calls) {
    const own = isObject(call) ? keyIn(call) : undefined;
    if (own !== undefined && key !== undefined && own !== key) {
      throw new ApiError('InvalidArgument', 'the calls of the batch carry different write keys: send a batch for each');
    }
    key ??= own;
  }
  return key;
}

/** Where a request may hold the key: the calls of a batch are looked at when it is nowhere else. */
export interface KeyPlaces {
  readonly holders: readonly KeyHolder[];
  readonly calls?: readonly unknown[];
}

type Sent = Pick<Caller, 'source' | 'keys' | 'token' | 'unknownKey'>;
type SourcesOfCall = Pick<Received, 'source' | 'sourceNow'>;

/**
 * The source of the header's key, else of the first key that is found. Throws where the source asks for an access token
 * besides, and the caller has none that does.
 */
export async function sourceOfCall(ports: KeyPorts, caller: Sent, places: KeyPlaces): Promise<Source> {
  if (caller.unknownKey !== undefined) throw new UnknownWriteKey(caller.unknownKey);
  const keys = caller.keys.length > 0 ? caller.keys : firstKey(places);
  const source = caller.source ?? (await sourceOf(ports.directory, keys));
  return source.oauth_keys?.length ? provenSource(ports, source, { keys, token: caller.token }) : source;
}

/** The name of that source, and how it is found again, by the configuration of then. */
export async function sourcesOfCall(ports: KeyPorts, caller: Sent, places: KeyPlaces): Promise<SourcesOfCall> {
  const { name } = await sourceOfCall(ports, caller, places);
  return { source: name, sourceNow: () => sourceOfCall(ports, { ...caller, source: undefined }, places) };
}

/** What the token does for, once this router has heard of the last change of the source (NODE-5). */
async function provenSource(
  { directory, accessTokens }: KeyPorts,
  source: Source,
  { keys, token }: Pick<Sent, 'keys' | 'token'>,
): Promise<Source> {
  try {
    await accessTokens.check(source, token);
    return source;
  } catch (refusal) {
    await directory.refresh();
    const now = await sourceOf(directory, keys);
    if (now === source) throw refusal;
    await accessTokens.check(now, token);
    return now;
  }
}

function firstKey({ holders, calls = [] }: KeyPlaces): string[] {
  for (const holder of holders) {
    const key = keyIn(holder);
    if (key !== undefined) return [key];
  }
  const key = keyInCalls(calls);
  return key === undefined ? [] : [key];
}

/**
 * The source that has the first of these keys that is known; throws Unauthenticated where there is none (D-41). The keys
 * themselves are never shown.
 */
export async function sourceOf(directory: KeyPorts['directory'], keys: readonly string[]): Promise<Source> {
  const [likeliest] = keys;
  if (likeliest === undefined) throw new ApiError('Unauthenticated', NO_KEY);
  const source = directory.sourceByWriteKey(likeliest);
  if (source !== undefined) return source;
  // Another router may have been told of it a moment ago (NODE-5).
  await directory.refresh();
  for (const key of keys) {
    const known = directory.sourceByWriteKey(key);
    if (known !== undefined) return known;
  }
  throw new UnknownWriteKey(likeliest);
}

const NO_KEY =
  'no write key: send it as the user name of an Authorization: Basic header, or as writeKey in the body or the query';

/** A key was sent that no source has. */
export class UnknownWriteKey extends ApiError {
  /** As it was sent; never shown. */
  readonly key: string;

  constructor(key: string) {
    super('Unauthenticated', 'the write key belongs to no source: compare it with write_keys of the source');
    this.key = key;
  }
}

/**
 * The write keys that an `Authorization: Basic` header can mean, the likeliest first; none for any other header: a Bearer
 * token says who sends, and the key then stands in the body.
 *
 * Senders put the key in the place of the user name, with or without the colon behind it. A key may hold colons itself
 * (D-10), so the whole text counts before the part that HTTP calls the user name: with the latter first, events for
 * `id:secret` would go to whoever owns the key `id`.
 */
export function keysInHeader(authorization: string): string[] {
  const [, encoded] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const [user = ''] = text.split(':', 1);
  const keys = [text.endsWith(':') ? text.slice(0, -1) : text, text, user];
  return user === '' ? [] : [...new Set(keys)];
}

/** The token in an `Authorization: Bearer` header. */
function tokenInHeader(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Further ones are not looked at: a text can hold tens of thousands. */
const MAX_PLACES = 20;
/** The name in quotes, then the value: as many characters as the longest key has when each is escaped. */
const WRITE_KEY = /"writeKey"[ \t\r\n]*:[ \t\r\n]*("(?:[^"\\]|\\.){1,768}")/g;

/** The write keys that stand in the text of a body, found without parsing it: a stranger's large body is not worth that. */
export function keysInText(body: Buffer): string[] {
  // Keys are ASCII: what else the text holds may be misread.
  const places = body.toString('latin1').matchAll(WRITE_KEY).take(MAX_PLACES);
  return [...new Set(places.map(([, quoted = '']) => unquoted(quoted)))];
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Where events come from, as the config store holds it. */
export type Source = Resources['sources'];
