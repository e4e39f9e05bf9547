import type { components } from '../../generated/config-api.d.ts';
import type { AddressGuard } from '../delivery/address-guard.ts';
import { checkUrl } from '../delivery/guarded-lookup.ts';
import { nearest } from '../nearest.ts';
import { slugOf } from '../model/resource-names.ts';
import type { Destination } from '../model/resources.ts';
import { DEFAULT_POLICY } from '../model/policy.ts';
import { algorithmOf, faultOfStandardSecret } from '../model/shared-secret.ts';
import type { Limits } from '../delivery/pace.ts';
import type { SignatureSetting, Signing } from '../delivery/signatures.ts';
import type { Target, Webhook } from '../delivery/target.ts';
import { readShape } from '../shaping/read-shape.ts';
import type { Shape } from '../shaping/shape.ts';
import { SettingFault } from './setting-fault.ts';
import { readStaticHeaders, refuseReservedHeaders } from './static-headers.ts';
import { readWebhookUrl } from './webhook-url.ts';

/** HOOK-1. */
export const MAX_WEBHOOKS = 5;

/**
 * Webhooks are in the order of `hooks`, then `globalHook`; there are none while a destination that is switched off has not got
 * any yet.
 */
export interface WebhooksSettings extends Signing, Pick<Target, 'webhooks' | 'limits' | 'inOrder' | 'traceContext'> {
  /** Absent where bodies are left as they are. */
  readonly shape?: Shape;
}

/** How each setting of the contract is read; a reader throws a SettingFault for what a delivery could not use. */
const READERS = {
  hooks: readHooks,
  globalHook: readGlobalHook,
  sharedSecret: readSecret,
  signature: readSignature,
  maxPerSecond: readMaxPerSecond,
  maxInFlight: readMaxInFlight,
  shape: readShape,
  ordering: readOrdering,
  traceContext: readTraceContext,
} as const satisfies Readonly<Record<keyof components['schemas']['WebhooksSettings'], (value: unknown) => unknown>>;

type Key = keyof typeof READERS;

/** The settings of a webhooks destination as plain values. What the Config API stored never throws here. */
export function webhooksOf(destination: Pick<Destination, 'config' | 'rotation'>): WebhooksSettings {
  const values = valuesOf(destination);
  const webhooks = named([...readHooks(values.hooks), ...readGlobalHook(values.globalHook)]);
  const shape = readShape(values.shape);
  const inOrder = readOrdering(values.ordering) === 'user';
  const traceContext = readTraceContext(values.traceContext);
  return {
    webhooks,
    ...signingOf(destination, values),
    ...limitsOf(values),
    ...(inOrder && { inOrder }),
    ...(traceContext && { traceContext }),
    ...(shape.length > 0 && { shape }),
  };
}

/** Of those with the same URL, and other headers, each behind the first is called by its place as well. */
function named(webhooks: readonly Webhook[]): Webhook[] {
  return webhooks.map((webhook, at) => {
    const before = webhooks.slice(0, at).filter(({ url }) => url === webhook.url).length;
    return before === 0 ? webhook : { ...webhook, name: `${webhook.url}#${before + 1}` };
  });
}

function limitsOf({ maxPerSecond, maxInFlight }: Values): { readonly limits?: Limits } {
  const [perSecond, inFlight] = [readMaxPerSecond(maxPerSecond), readMaxInFlight(maxInFlight)];
  if (perSecond === 0 && inFlight === 0) return {};
  return { limits: { ...(perSecond > 0 && { perSecond }), ...(inFlight > 0 && { inFlight }) } };
}

export function signingOf(
  destination: Pick<Destination, 'config' | 'rotation'>,
  { sharedSecret, signature }: Values = valuesOf(destination),
): Signing {
  const { rotation } = destination;
  return {
    sharedSecret: readSecret(sharedSecret),
    signature: readSignature(signature),
    ...(rotation && { previous: { secret: rotation.previous_secret, until: Date.parse(rotation.end_time) } }),
  };
}

/** As they are stored; absent where they are not set. */
type Values = { readonly [K in Key]?: unknown };

function valuesOf({ config }: Pick<Destination, 'config'>): Values {
  const values: { -readonly [K in Key]?: unknown } = {};
  for (const { name, value } of config) {
    const key = keyOf(name);
    if (isKey(key)) values[key] = value;
  }
  return values;
}

/** Throws a SettingFault when a secret of a destination cannot sign in the way that it is set to. */
export function checkSigning({ sharedSecret, signature, previous }: Signing, isEnabled: boolean): void {
  if (signature === undefined || signature === 'x-signature') return;
  if (isEnabled && sharedSecret === '') {
    throw new SettingFault(
      '.signature',
      `is ${signature}, and there is no secret to sign with: set sharedSecret with it`,
    );
  }
  for (const secret of [sharedSecret, ...(previous === undefined ? [] : [previous.secret])]) {
    const fault = faultOfStandardSecret(secret);
    if (fault !== undefined) throw new SettingFault('.sharedSecret', fault);
    if (signature === 'both' && algorithmOf(secret) === 'ed25519') {
      throw new SettingFault(
        '.signature',
        'is both, and X-Signature cannot be made with Ed25519: use standard-webhooks',
      );
    }
  }
}

/** How many it has, of settings that were checked. */
export function countWebhooks({ config }: Pick<Destination, 'config'>): number {
  let count = 0;
  for (const { name, value } of config) {
    const key = slugOf(name);
    if (key === 'hooks' && Array.isArray(value)) count += value.length;
    if (key === 'globalHook' && typeof value === 'string' && value !== '') count += 1;
  }
  return count;
}

/** Throws a SettingFault when this destination has no such setting. */
export function requireWebhooksSetting(key: string): void {
  if (isKey(key)) return;
  const known = Object.keys(READERS);
  const guess = nearest(key, known);
  const wayOut = guess === undefined ? `it has ${known.join(', ')}` : `did you mean ${guess}?`;
  throw new SettingFault('', `${JSON.stringify(key.slice(0, 80))} is no setting of webhooks: ${wayOut}`);
}

/** Throws a SettingFault when a value could not be used, or leads to where no webhook may lead. */
export function checkWebhooksSetting(key: string, value: unknown, guard: AddressGuard): void {
  if (!isKey(key)) return;
  READERS[key](value);
  if (key === 'globalHook') refuseForbidden(value, '', guard);
  if (key !== 'hooks' || !Array.isArray(value)) return;
  for (const [index, item] of value.entries()) refuseForbidden(urlIn(item), `[${index}].hook`, guard);
  refuseReserved(value);
}

/** What no URL holds as it is, and no terminal, log or database takes kindly. */
const CONTROL = /\p{Cc}/u;

/** An address that is written in a URL would be refused at each attempt (D-28): better that it is told now. */
function refuseForbidden(url: unknown, place: string, guard: AddressGuard): void {
  if (typeof url !== 'string' || url === '') return;
  if (CONTROL.test(url)) throw new SettingFault(place, 'holds a control character: write it in percent-encoding');
  const admission = checkUrl(url, guard);
  if ('refused' in admission) throw new SettingFault(place, `leads to ${admission.refused}`);
}

/** A destination that was stored before a name was reserved still delivers, without it (D-29). */
function refuseReserved(hooks: unknown): void {
  if (!Array.isArray(hooks)) return;
  for (const [index, item] of hooks.entries()) refuseReservedHeaders(headersIn(item), `[${index}].headers`);
}

/** The bare key of a config entry, whose name is `<destination>/config/<key>`. */
export function keyOf(entryName: string): string {
  return entryName.slice(entryName.lastIndexOf('/') + 1);
}

function isKey(key: string): key is Key {
  return Object.hasOwn(READERS, key);
}

function readHooks(value: unknown): Webhook[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new SettingFault('', 'must be a list of {hook, headers}');
  if (value.length > MAX_WEBHOOKS) {
    throw new SettingFault(
      `[${MAX_WEBHOOKS}]`,
      `is one too many: a destination holds at most ${MAX_WEBHOOKS} webhooks`,
    );
  }
  return value.map((item: unknown, index) => readHook(item, `[${index}]`));
}

function readHook(item: unknown, place: string): Webhook {
  if (typeof item !== 'object' || item === null)
    throw new SettingFault(place, 'must be an object with hook and headers');
  return {
    url: readWebhookUrl(urlIn(item), `${place}.hook`),
    headers: readStaticHeaders(headersIn(item), `${place}.headers`),
  };
}

function urlIn(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'hook' in item ? item.hook : undefined;
}

function headersIn(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'headers' in item ? item.headers : undefined;
}

function readGlobalHook(value: unknown): Webhook[] {
  return value === undefined || value === '' ? [] : [{ url: readWebhookUrl(value, ''), headers: {} }];
}

function readSecret(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new SettingFault('', 'must be a string');
  return value;
}

/** A slower pace would not tell a destination that waits from one that is forgotten. */
const [MIN_PER_SECOND, MAX_PER_SECOND] = [0.01, 10_000];

/** 0 for none. */
function readMaxPerSecond(value: unknown): number {
  const rate = value ?? 0;
  const isRate = typeof rate === 'number' && (rate === 0 || (rate >= MIN_PER_SECOND && rate <= MAX_PER_SECOND));
  if (isRate) return rate;
  const range = `a number from ${MIN_PER_SECOND} to ${MAX_PER_SECOND}, or 0 for no limit`;
  throw new SettingFault('', `must be ${range}, got ${seenOf(value)}`);
}

/** 0 for none. */
function readMaxInFlight(value: unknown): number {
  const count = value ?? 0;
  const { perDestination } = DEFAULT_POLICY;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= perDestination) return count;
  throw new SettingFault('', `must be an integer from 1 to ${perDestination}, or 0 for no limit, got ${seenOf(value)}`);
}

export const SIGNATURES = ['x-signature', 'standard-webhooks', 'both'] as const;

/** Emptied, it is the default (CFG-8). */
function readSignature(value: unknown): SignatureSetting {
  return readOneOf(SIGNATURES, value);
}

const ORDERINGS = ['none', 'user'] as const;

function readOrdering(value: unknown): (typeof ORDERINGS)[number] {
  return readOneOf(ORDERINGS, value);
}

function readTraceContext(value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  throw new SettingFault('', `must be true or false, got ${seenOf(value)}`);
}

/** Without a value the first, which is the default. */
function readOneOf<Choice extends string>(choices: readonly [Choice, ...Choice[]], value: unknown): Choice {
  if (value === undefined || value === '') return choices[0];
  const known = choices.find((one) => one === value);
  if (known !== undefined) return known;
  throw new SettingFault('', `must be one of ${choices.join(', ')}, got ${seenOf(value)}`);
}

function seenOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return typeof value === 'number' ? String(value) : typeof value;
}
