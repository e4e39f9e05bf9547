import type { Reading } from './call.ts';
import { isEmpty } from './failure.ts';
import type { Resource, Tagged } from './resource-types.ts';
import type { ResourceKind } from './resources.ts';

/** One page of a List (S 2.3). */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Asks for the next page; empty on the last one. */
  readonly nextToken: string;
}

/** Reads a flat resource (D-1). */
export function readResource<Kind extends ResourceKind>(body: unknown): Reading<Resource<Kind>> {
  return isResource<Kind>(body) ? { value: body } : { problem: 'it is no resource with a name' };
}

/** What an answer was read as, with the tag of its state. */
export function withTag<R>(reading: Reading<R>, etag: string | null): Reading<Tagged<R>> {
  if ('problem' in reading) return reading;
  if (etag === null) return { problem: 'it has no ETag: tokens that only read get none' };
  return { value: { resource: reading.value, etag } };
}

/**
 * Reads an answer of List (D-1), each item of which has a text as `mark`. An absent token means the last
 * page, as an empty one does.
 */
export function readPage<Item>(plural: string, mark: string, body: unknown): Reading<Page<Item>> {
  const items = field(body, plural);
  const nextToken = field(body, 'next_page_token') ?? '';
  if (!Array.isArray(items) || !items.every((item) => isMarked<Item>(mark, item)))
    return { problem: `it has no list of resources as ${plural}` };
  if (typeof nextToken !== 'string') return { problem: 'its next_page_token is no string' };
  return { value: { items, nextToken } };
}

/** Reads an answer that is an object with a text, a boolean, a list or an object as `mark`. */
export function readMarked<Answer>(mark: string, body: unknown): Reading<Answer> {
  return isMarked<Answer>(mark, body) ? { value: body } : { problem: `it has no ${mark}` };
}

/** Reads the answer of a delete: `{}` (D-1), or nothing at all. */
export function readNothing(body: unknown): Reading<undefined> {
  const isFine = isEmpty(body) || (typeof body === 'object' && body !== null);
  return isFine ? { value: undefined } : { problem: 'it is no JSON object' };
}

/**
 * Where answers turn from untyped to typed. What all resources have in common tells an answer of this API from others;
 * that the rest is as the contract says is the router's duty, and a client that insisted would break on what is added.
 */
function isResource<Kind extends ResourceKind>(body: unknown): body is Resource<Kind> {
  return typeof field(body, 'name') === 'string';
}

/** As `isResource`, for answers that have no name. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what it is read as, the caller says
function isMarked<Answer>(mark: string, body: unknown): body is Answer {
  const value = field(body, mark);
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}
