import type { Encoding } from '../../client/webhooks/digest-text.ts';
import type { Algorithm } from '../../client/webhooks/senders/form.ts';
import { FIVE_MINUTES, formOf, type HeaderForm } from '../../client/webhooks/senders/header-form.ts';
import type { HmacForm } from './hmac-form.ts';
import { hmacScheme } from './hmac-scheme.ts';
import type { Place, Places, Scheme } from './scheme.ts';
import { nearest } from '../../server/nearest.ts';
import { refuseUnclear, refuseUndefined, refuseUnknown } from '../receiver/known-names.ts';

export interface CustomScheme extends HeaderForm {
  /** Where requests say which event they are of. Without it, attempts of one event are known by the bytes of their body. */
  readonly id?: Place | readonly Place[];
  /** What a request is that does not have the id; default `unknown`, as each should have it. */
  readonly withoutId?: Places['withoutId'];
  /** Where they say of what type it is; default the field `type`. */
  readonly type?: Place | readonly Place[];
  /** As texts call it; default `custom`. */
  readonly name?: string;
  readonly title?: string;
}

const ALGORITHMS = ['SHA-1', 'SHA-256', 'SHA-512'] as const satisfies readonly Algorithm[];
const ENCODINGS = ['hex', 'base64'] as const satisfies readonly Encoding[];
const OF_CUSTOM = ['header', 'algorithm', 'encoding'] as const satisfies readonly (keyof CustomScheme)[];
const OPTIONAL = [
  'prefix',
  'timestamp',
  'payload',
  'id',
  'withoutId',
  'type',
  'name',
  'title',
] as const satisfies readonly (keyof CustomScheme)[];

/** The scheme of a sender that signs with HMAC and the text of a secret. Throws a TypeError for what cannot be. */
export function custom(own: CustomScheme): Scheme {
  refuseUnknown('custom', own, [...OF_CUSTOM, ...OPTIONAL]);
  refuseUndefined(' of custom', own, OPTIONAL);
  const { header, algorithm, encoding, prefix = '', timestamp, payload, name = 'custom', title = name } = own;
  refuseOther('algorithm', algorithm, ALGORITHMS);
  refuseOther('encoding', encoding, ENCODINGS);
  refuseTimestamp(timestamp);
  if (payload !== undefined && typeof payload !== 'function')
    throw new TypeError(`The option payload is a ${typeof payload}; give a function that makes what is signed`);
  const places = placesOf(own);
  const named = [...places.id, ...places.type].flatMap(headerIn);
  for (const one of [header, ...(timestamp === undefined ? [] : [timestamp.header]), ...named]) refuseNoHeader(one);
  const form: HmacForm = {
    ...formOf(own),
    name,
    title,
    places,
    write: (digest, at) => ({
      [header]: `${prefix}${digest}`,
      ...(timestamp === undefined ? {} : { [timestamp.header]: at }),
    }),
  };
  return hmacScheme(form);
}

function placesOf({ id, withoutId, type = { field: 'type' } }: CustomScheme): Places {
  const byDefault = id === undefined ? 'same body' : 'unknown';
  return { id: [id ?? []].flat(), withoutId: withoutId ?? byDefault, type: [type].flat() };
}

/** TypeScript knows what the others cannot be; a caller in JavaScript, or with a text from elsewhere, does not. */
function refuseOther(option: string, seen: string, known: readonly string[]): void {
  if (known.includes(seen)) return;
  const guess = typeof seen === 'string' ? nearest(seen, known) : undefined;
  const wayOut = guess === undefined ? `give one of ${known.join(', ')}` : `did you mean ${guess}?`;
  throw new TypeError(`The option ${option} is ${JSON.stringify(seen) ?? 'undefined'}; ${wayOut}`);
}

function refuseTimestamp(timestamp: CustomScheme['timestamp']): void {
  if (timestamp === undefined) return;
  refuseUnclear('The option timestamp', timestamp, ['header', 'toleranceSeconds']);
  const { toleranceSeconds = FIVE_MINUTES } = timestamp;
  if (typeof toleranceSeconds === 'number' && toleranceSeconds > 0) return;
  throw new TypeError(`The option toleranceSeconds is ${String(toleranceSeconds)}; give a number above 0`);
}

function headerIn(place: Place): readonly string[] {
  if (typeof place !== 'object') throw new TypeError(`The place ${JSON.stringify(place)} is none; ${PLACE}`);
  if ('header' in place) return [place.header];
  if (typeof place.field === 'string' && place.field !== '') return [];
  throw new TypeError(`A place has neither a header nor a field; ${PLACE}`);
}

const PLACE = "give { header: 'X-Event-Id' } or { field: 'id' }";

function refuseNoHeader(name: string): void {
  if (typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return;
  throw new TypeError(
    `The header ${JSON.stringify(name) ?? 'undefined'} cannot be the name of a header; give one such as X-Signature`,
  );
}
