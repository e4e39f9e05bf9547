import { isObject } from '../../server/model/json-values.ts';
import { eventTypeOf } from '../schemes/said.ts';
import { textOf } from '../receiver/received.ts';
import type { Received } from '../receiver/received.ts';
import { printable } from './text-width.ts';

type Subject = Pick<Received, 'event' | 'path'>;

/** The event's type, or how the request looks when it is no event. */
export function typeText(request: Pick<Received, 'body' | 'event' | 'headers' | 'method' | 'scheme'>): string {
  return printable(eventTypeOf(request) ?? (request.method === 'POST' ? 'no event' : request.method));
}

/** What it is about and who it is about: `Order Completed · user-42`. */
export function subjectText(request: Subject): string {
  const [what, who] = [nameOf(request), userOf(request)];
  const words = [what, who].filter((word) => word !== undefined && word !== '');
  return printable(words.length === 0 ? request.path : words.join(' · '));
}

function nameOf(request: Subject): string | undefined {
  switch (textOf(request, 'type')) {
    case 'track':
      return textOf(request, 'event');
    case 'group':
      return textOf(request, 'groupId');
    case 'identify':
      return membershipOf(request);
    case 'page':
    case 'screen':
      return textOf(request, 'name') ?? pathOf(request);
    case undefined:
    default:
      return undefined;
  }
}

/** `big_spenders: true`, of a call that tells of an audience or a computed trait. */
function membershipOf({ event }: Subject): string | undefined {
  const { context, traits } = event ?? {};
  const personas = isObject(context) ? context['personas'] : undefined;
  const key = isObject(personas) ? personas['computation_key'] : undefined;
  if (typeof key !== 'string' || !isObject(traits) || !Object.hasOwn(traits, key)) return undefined;
  return `${key}: ${JSON.stringify(traits[key])}`;
}

function userOf(request: Subject): string | undefined {
  if (textOf(request, 'type') !== 'alias') return textOf(request, 'userId') ?? textOf(request, 'anonymousId');
  return [textOf(request, 'Previous ID'), textOf(request, 'User ID')].map((id) => id ?? '?').join(' → ');
}

function pathOf({ event }: Subject): string | undefined {
  const properties = event?.['properties'];
  if (typeof properties !== 'object' || properties === null || !('path' in properties)) return undefined;
  return typeof properties.path === 'string' ? properties.path : undefined;
}

/** All of the body on one line, safe to print; bytes that are no text in hex. */
export function bodyText(body: Uint8Array): string {
  if (body.length === 0) return '(no body)';
  try {
    return printable(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return `(not UTF-8) ${Buffer.from(body.subarray(0, 256))
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$& ')}`;
  }
}

/** `412 B`, `31.2 KB`. */
export function sizeText({ length }: Uint8Array): string {
  if (length < 1024) return `${length} B`;
  return length < 1024 ** 2 ? `${(length / 1024).toFixed(1)} KB` : `${(length / 1024 ** 2).toFixed(1)} MB`;
}
