import type { Ids, Send } from './call.ts';
import { listItems } from './lists.ts';
import { readNothing, readResource, withTag } from './readings.ts';
import { collectionIds, itemIds } from './resource-names.ts';
import type {
  CallOptions,
  Changes,
  CreateArguments,
  DeleteOptions,
  ListArguments,
  ListOptions,
  Resource,
  Tagged,
  UpdateOptions,
} from './resource-types.ts';
import { type ResourceKind, type ResourceRow, RESOURCES } from './resources.ts';
import { updateMaskPaths } from './update-mask.ts';

/**
 * The standard methods of a resource (S 4.1). Names are full resource names (S 2.1); one of another kind, and a body
 * that JSON cannot express, are refused with a TypeError before anything is sent. Whatever goes wrong after that is a
 * ConfigApiError (S 7.1), of the kinds that each method tells, or `Unauthenticated`, `ResourceExhausted`, `Internal`,
 * `Unimplemented`, `Unavailable`, `Unroutable`, `UnexpectedAnswer`, `Network` or `Timeout`, which any method may meet. A
 * call whose signal aborts rejects with the signal's own reason.
 */
export interface ResourceMethods<Kind extends ResourceKind> {
  /**
   * All resources below a parent, oldest first, over all pages (S 2.3, D-7). Pages are asked for while iterating, and each
   * iteration begins anew. Throws a TypeError at once for a bad parent or page size.
   *
   * Kinds: `NotFound` when the parent does not exist.
   */
  list(...args: ListArguments<Kind>): AsyncIterable<Resource<Kind>>;

  /** One resource, by its name (S 4.1). Kinds: `NotFound`. */
  get(name: string, options?: CallOptions): Promise<Resource<Kind>>;

  /**
   * The same with the tag of its state, for the `ifMatch` of a change that must not undo another one. Kinds: `NotFound`, and
   * `UnexpectedAnswer` for a token that only reads, which gets no tag.
   */
  getTagged(name: string, options?: CallOptions): Promise<Tagged<Resource<Kind>>>;

  /**
   * Creates a resource, and gives it as it was made (S 4.1). A 503 is not repeated, since the resource may have been made:
   * look before you create again.
   *
   * Kinds: `InvalidArgument`, `PermissionDenied`, `AlreadyExists` when the name is taken, `NotFound` when the parent does
   * not exist.
   */
  create(...args: CreateArguments<Kind>): Promise<Resource<Kind>>;

  /**
   * Changes the fields that are given, and no others (S 4.1, D-3); gives the resource as it now stands. The update mask
   * follows from the changes, unless `paths` states it; without any change nothing happens.
   *
   * Kinds: `InvalidArgument`, `PermissionDenied`, `NotFound`, and with `ifMatch` `AlreadyExists` when the resource has changed
   * since. When an attempt before the last was answered 503, that may mean that it had worked.
   */
  update(name: string, changes: Changes<Kind>, options?: UpdateOptions<Kind>): Promise<Resource<Kind>>;

  /**
   * Removes a resource and everything below it (S 4.1). When an attempt before the last was answered 503, `NotFound` may
   * mean that it had worked.
   *
   * Kinds: `PermissionDenied`, `NotFound`, `InvalidArgument` for what must not be removed, and with `ifMatch` `AlreadyExists`
   * when the resource has changed since.
   */
  delete(name: string, options?: DeleteOptions<Kind>): Promise<void>;
}

/** The methods of one resource. The kind says everything that differs among resources. */
export function resourceMethods<Kind extends ResourceKind>(kind: Kind, send: Send): ResourceMethods<Kind> {
  const row: ResourceRow = RESOURCES[kind];
  const read = readResource<Kind>;
  return {
    list: (...args) => list(kind, row, send, args),
    async get(name, { signal } = {}) {
      return send({ method: 'get', path: row.item, ids: itemIds(kind, name), signal, read });
    },
    async getTagged(name, { signal } = {}) {
      const call = { method: 'get', path: row.item, ids: itemIds(kind, name), signal } as const;
      return send({ ...call, read: (body, tag) => withTag(read(body), tag) });
    },
    async create(...args) {
      const { ids, input, signal } = readCreate(kind, args);
      return send({ method: 'post', path: row.collection, ids, body: { [row.key]: input }, signal, read });
    },
    async update(name, changes, { paths, ifMatch, signal } = {}) {
      const body = { [row.key]: changes, update_mask: { paths: updateMaskPaths(row, changes, paths) } };
      return send({ method: 'patch', path: row.item, ids: itemIds(kind, name), body, ifMatch, signal, read });
    },
    async delete(name, options) {
      const { signal, ifMatch, ...query } = { signal: undefined, ifMatch: undefined, ...options };
      const call = { method: 'delete', path: row.item, ids: itemIds(kind, name), query, ifMatch, signal } as const;
      await send({ ...call, read: readNothing });
    },
  };
}

type AnyListArguments = readonly [parent: string, options?: ListOptions] | readonly [options?: ListOptions];

function list<Kind extends ResourceKind>(
  kind: Kind,
  { collection, plural }: ResourceRow,
  send: Send,
  args: AnyListArguments,
): AsyncIterable<Resource<Kind>> {
  const [parent, options = {}] = typeof args[0] === 'string' ? [args[0], args[1]] : [undefined, args[0]];
  const { pageSize, signal } = options;
  const ids = collectionIds(kind, parent);
  return listItems(
    send,
    { owner: `client.${kind}`, path: collection, ids, plural, mark: 'name' },
    { pageSize, signal },
  );
}

type WithParent = readonly [parent: string, resource: unknown, options?: CallOptions];
type WithoutParent = readonly [resource: unknown, options?: CallOptions];

interface Create {
  readonly ids: Ids;
  readonly input: object;
  readonly signal: AbortSignal | undefined;
}

/** A new resource has a name, which says where it stands, or gets its parent beside it, or stands alone. */
function readCreate(kind: ResourceKind, args: WithParent | WithoutParent): Create {
  const [parent, input, { signal } = {}] = isWithParent(args) ? args : ([undefined, ...args] as const);
  if (typeof input !== 'object' || input === null) {
    throw new TypeError(`client.${kind}.create takes an object with the fields of the resource, got ${String(input)}`);
  }
  const name = parent === undefined && 'name' in input ? input.name : undefined;
  const ids = typeof name === 'string' ? itemIds(kind, name) : collectionIds(kind, parent);
  return { ids, input, signal };
}

function isWithParent(args: WithParent | WithoutParent): args is WithParent {
  return typeof args[0] === 'string';
}
