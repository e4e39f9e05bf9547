import type { paths } from '../../generated/config-api.d.ts';
import type { Ids, Send } from './call.ts';
import { formOf, idsIn, idsOf, quoted, templateOf } from './name-templates.ts';
import { type Answer, ask, type Input, listAll, type Listed, type Query } from './operations.ts';
import { readNothing } from './readings.ts';
import type { CallOptions, ListOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const COLLECTION = '/v1beta/workspaces/{workspace}/regulations';
const ITEM = `${COLLECTION}/{regulation}` as const;
const OF_SOURCE = '/v1beta/workspaces/{workspace}/sources/{source}/regulations';
const SUPPRESSED = '/v1beta/workspaces/{workspace}/suppressed-users';
const SUPPRESSED_IN_SOURCE = '/v1beta/workspaces/{workspace}/sources/{source}/suppressed-users';
const OWNER = 'client.regulations';

/** A request to delete users, to take in no more of them, or both (D-12). It does not tell which users. */
export type Regulation = Answer<typeof ITEM>;
export type NewRegulation = Input<typeof COLLECTION>;
/** A user whose events are not taken in. */
export type SuppressedUser = Listed<typeof SUPPRESSED, 'suppressed_users'>;

export interface RegulationMethods {
  /** The regulations of a workspace, or of one source, oldest first; by status and type. Kinds: `NotFound`. */
  list(parent: string, options?: ListOptions & Query<typeof COLLECTION>): AsyncIterable<Regulation>;

  /** One regulation, and how far it has got. Kinds: `NotFound`. */
  get(name: string, options?: CallOptions): Promise<Regulation>;

  /**
   * For a whole workspace, or for one source. Suppression holds at once, deletion follows. Kinds: `InvalidArgument`,
   * `PermissionDenied`, `NotFound`.
   */
  create(parent: string, regulation: NewRegulation, options?: CallOptions): Promise<Regulation>;

  /** Cancels one. Kinds: `InvalidArgument` once it runs, `PermissionDenied`, `NotFound`. */
  delete(name: string, options?: CallOptions): Promise<void>;

  /** Cancels those of a source that have not begun. Kinds: `PermissionDenied`, `NotFound`. */
  deleteAll(source: string, options?: CallOptions): Promise<void>;
}

export interface SuppressedUserMethods {
  /** The suppressed users of a workspace, or of one source alone, the longest suppressed first. Kinds: `NotFound`. */
  list(parent: string, options?: ListOptions): AsyncIterable<SuppressedUser>;
}

export function regulationMethods(send: Send): RegulationMethods {
  return {
    list(parent, options) {
      const listing = inScope(`${OWNER}.list`, parent, COLLECTION, OF_SOURCE);
      return listAll(send, { owner: OWNER, ...listing, plural: 'regulations', mark: 'name' }, options);
    },
    async get(name, { signal } = {}) {
      return ask(send, { method: 'get', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal }, 'name');
    },
    async create(parent, regulation, { signal } = {}) {
      const scope = inScope(`${OWNER}.create`, parent, COLLECTION, OF_SOURCE);
      return ask(send, { method: 'post', ...scope, body: regulation, signal }, 'name');
    },
    async delete(name, { signal } = {}) {
      await send({ method: 'delete', path: ITEM, ids: idsOf(OWNER, ITEM, name), signal, read: readNothing });
    },
    async deleteAll(source, { signal } = {}) {
      const ids = idsOf(`${OWNER}.deleteAll`, RESOURCES.sources.item, source);
      await send({ method: 'delete', path: OF_SOURCE, ids, signal, read: readNothing });
    },
  };
}

export function suppressedUserMethods(send: Send): SuppressedUserMethods {
  const owner = 'client.suppressedUsers';
  return {
    list(parent, options) {
      const listing = inScope(`${owner}.list`, parent, SUPPRESSED, SUPPRESSED_IN_SOURCE);
      return listAll(send, { owner, ...listing, plural: 'suppressed_users', mark: 'user_id' }, options);
    },
  };
}

/** The path to use below the named workspace, or the named source. Throws a TypeError for any other name. */
function inScope<Workspace extends keyof paths, Source extends keyof paths>(
  owner: string,
  name: string,
  ofWorkspace: Workspace,
  ofSource: Source,
): { readonly path: Workspace | Source; readonly ids: Ids } {
  const [workspace, source] = [templateOf(RESOURCES.workspaces.item), templateOf(RESOURCES.sources.item)];
  const [ofOne, ofAll] = [idsIn(source, name), idsIn(workspace, name)];
  if (ofOne !== undefined) return { path: ofSource, ids: ofOne };
  if (ofAll !== undefined) return { path: ofWorkspace, ids: ofAll };
  const forms = [workspace, source].map(formOf).join(' or ');
  throw new TypeError(`${owner} takes names of the form ${forms}, got ${quoted(name)}`);
}
