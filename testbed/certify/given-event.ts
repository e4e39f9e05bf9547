import { randomUUID } from 'node:crypto';
import { isObject } from '../../server/model/json-values.ts';
import type { Scheme } from '../schemes/scheme.ts';

/** An event of another sender, as the receiver expects it. */
export interface GivenEvent {
  readonly body: Uint8Array;
  /** Beside the signature; `Content-Type` among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The field by which the receiver knows an event again; each that is sent gets a new one. */
  readonly idField: string | undefined;
  /** The header in which its sender says the same; none where there is no such header. */
  readonly idHeaders: readonly string[];
}

export interface EventOptions {
  /** An event that the receiver accepts, for senders other than Waybill: text or bytes as they are, anything else as JSON. */
  readonly event?: unknown;
  /** The field of a JSON event that says which event it is; default that of its scheme, or `id`, where there is one. */
  readonly idField?: string;
  /** Sent with each event, such as `X-GitHub-Event`; `Content-Type` is `application/json` when not among them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined where the events are Waybill's. Throws a TypeError for an id that the event does not have. */
export function givenEvent({ event, idField, headers = {} }: EventOptions, { places }: Scheme): GivenEvent | undefined {
  if (event === undefined) return undefined;
  const body = bytesOf(event);
  const fields = fieldsIn(body);
  if (idField !== undefined && typeof fields?.[idField] !== 'string')
    throw new TypeError(
      `The event has no text in its field ${JSON.stringify(idField)}; name the one that says which event it is`,
    );
  const known = [...places.id.flatMap((place) => ('field' in place ? place.field : [])), 'id'];
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    body,
    headers: hasType ? headers : { 'Content-Type': 'application/json', ...headers },
    idField: idField ?? known.find((name) => typeof fields?.[name] === 'string'),
    idHeaders: places.id.flatMap((place) => ('header' in place ? place.header : [])).slice(0, 1),
  };
}

/** A new event like it; the same one where nothing says which event it is. */
export function anotherOf({ body, idField }: GivenEvent): { readonly id: string; readonly body: Uint8Array } {
  const id = `certify_${randomUUID()}`;
  const fields = idField === undefined ? undefined : fieldsIn(body);
  if (idField === undefined || fields === undefined) return { id, body };
  return { id, body: Buffer.from(JSON.stringify({ ...fields, [idField]: id })) };
}

/** The event with one more field, so that its signature is none. */
export function alteredBody(body: Uint8Array): Uint8Array {
  const fields = fieldsIn(body);
  return Buffer.from(
    fields === undefined ? `${Buffer.from(body).toString()}&forged=1` : JSON.stringify({ ...fields, forged: true }),
  );
}

function bytesOf(event: unknown): Uint8Array {
  if (event instanceof Uint8Array) return event;
  return Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
}

function fieldsIn(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isObject(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
