import { listOf } from '../ui/json-fields.ts';
import type { Destination } from './queries.ts';

/** A webhook as it is shown and edited. */
export interface Hook {
  readonly url: string;
  readonly headers: readonly Header[];
}

export interface Header {
  readonly key: string;
  readonly value: string;
}

/** Which headers carry the signature. */
export type Signature = 'x-signature' | 'standard-webhooks' | 'both';

export interface WebhookSettings {
  readonly hooks: readonly Hook[];
  /** Empty: requests are not signed. */
  readonly secret: string;
  readonly signature: Signature;
  readonly globalHook: string;
  /** 0 for none. */
  readonly limits: { readonly maxPerSecond: number; readonly maxInFlight: number };
  /** The events of each user are sent in the order of their acceptance. */
  readonly isInOrder: boolean;
  /** Requests carry the trace of the event. */
  readonly hasTraceContext: boolean;
}

/** What is done with bodies before they are signed; none where they are sent whole. */
export function shapeOf(destination: Destination): readonly unknown[] {
  return listOf(valuesOf(destination).get('shape'));
}

function valuesOf({ config }: Destination): ReadonlyMap<string, unknown> {
  return new Map(config.map(({ name, value }) => [name.slice(name.lastIndexOf('/') + 1), value]));
}

/** What the settings of a webhooks destination say; entries of other kinds say nothing here. */
export function settingsOf(destination: Destination): WebhookSettings {
  const values = valuesOf(destination);
  const hooks: unknown = values.get('hooks');
  return {
    hooks: Array.isArray(hooks) ? hooks.map(readHook) : [],
    secret: textOf(values.get('sharedSecret')),
    signature: signatureIn(values.get('signature')),
    globalHook: textOf(values.get('globalHook')),
    limits: {
      maxPerSecond: Number(values.get('maxPerSecond') ?? 0),
      maxInFlight: Number(values.get('maxInFlight') ?? 0),
    },
    isInOrder: values.get('ordering') === 'user',
    hasTraceContext: values.get('traceContext') === true,
  };
}

function signatureIn(value: unknown): Signature {
  return value === 'standard-webhooks' || value === 'both' ? value : 'x-signature';
}

function readHook(hook: unknown): Hook {
  const { hook: url, headers }: { hook?: unknown; headers?: unknown } = Object(hook);
  return { url: textOf(url), headers: readHeaders(headers) };
}

/** A list of `{key, value}`, or a map. */
function readHeaders(headers: unknown): Header[] {
  if (Array.isArray(headers)) {
    return headers.map((header: unknown) => {
      const { key, value }: { key?: unknown; value?: unknown } = Object(header);
      return { key: textOf(key), value: textOf(value) };
    });
  }
  return Object.entries(Object(headers)).map(([key, value]) => ({ key, value: textOf(value) }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** As the API takes it. */
export function hooksValue(hooks: readonly Hook[]): { hook: string; headers: Header[] }[] {
  return hooks.map(({ url, headers }) => ({ hook: url.trim(), headers: headers.filter(({ key }) => key !== '') }));
}
