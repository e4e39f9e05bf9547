import { createHash } from 'node:crypto';
import { isObject } from '../../server/model/json-values.ts';
import { eventIn, type Header, headerOf, type WebhookEvent } from '../receiver/received.ts';
import type { Place, Scheme } from './scheme.ts';

/** What a request is looked for in. */
export interface Saying {
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** The body as a JSON object, where somebody has read it before. */
  readonly event?: WebhookEvent | undefined;
}

/** A request that came to an endpoint with this scheme. */
export interface Sent extends Saying {
  readonly scheme: Scheme;
}

/** Which event a request is of; undefined where nothing says so. */
export function eventIdOf(sent: Sent): string | undefined {
  const { id, withoutId } = sent.scheme.places;
  return saidIn(sent, id) ?? (withoutId === 'same body' ? digestOf(sent.body) : undefined);
}

/** Of what type its event is; undefined where nothing says so. */
export function eventTypeOf(sent: Sent): string | undefined {
  return saidIn(sent, sent.scheme.places.type);
}

/** What stands in the first of these places that is filled: text, or a number of a body. */
export function saidIn(saying: Saying, places: readonly Place[]): string | undefined {
  for (const place of places) {
    const value = 'header' in place ? headerOf(saying, place.header) : fieldOf(saying, place.field);
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return String(value);
  }
  return undefined;
}

/** Where it would stand, for people: `X-GitHub-Event`, `id of the body`. */
export function placesText(places: readonly Place[]): string {
  return places.map((place) => ('header' in place ? place.header : `${place.field} of the body`)).join(' or ');
}

/** `event.type` is the field `type` in `event`, unless a field has that name as a whole. */
function fieldOf(saying: Saying, name: string): unknown {
  const event = 'event' in saying ? saying.event : eventIn(saying.body);
  if (event !== undefined && Object.hasOwn(event, name)) return event[name];
  let value: unknown = event;
  for (const key of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function digestOf(body: Uint8Array): string {
  return `body ${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
}
