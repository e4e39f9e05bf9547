import type { Send } from './call.ts';
import { formOf, idsIn, idsOf, quoted, templateOf } from './name-templates.ts';
import { type Answer, ask, type Input, listAll, type Listed } from './operations.ts';
import { type ResourceMethods, resourceMethods } from './resource-methods.ts';
import type { CallOptions, ListOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const ITEMS = { audiences: RESOURCES.audiences.item, computedTraits: RESOURCES.computedTraits.item } as const;
const MEMBERS = `${ITEMS.audiences}/members` as const;
const MEMBER = `${MEMBERS}/{user}` as const;
const VALUES = `${ITEMS.computedTraits}/values` as const;
const PREVIEW = `${RESOURCES.audiences.collection}:preview` as const;

/** One run of an audience or computed trait, with what its destinations were told. */
export type Sync = Answer<`${(typeof ITEMS)['audiences']}:sync`, 'post'>;
export type AudienceMember = Listed<typeof MEMBERS, 'members'>;
/** What a computed trait is of one user. */
export type ComputedTraitValue = Listed<typeof VALUES, 'values'>;
/** Why a user is a member, or is not. */
export type ExplainedMember = Answer<typeof MEMBER>;
export type AudiencePreview = Answer<typeof PREVIEW, 'post'>;
/** Who is a member of an audience. */
export type AudienceDefinition = Input<typeof PREVIEW>['definition'];

/** Kinds: `NotFound`, and `Unimplemented` where the router keeps no profiles. */
export interface SyncMethods {
  /** Computes it now; gives the sync that begins, or the one that runs. Kinds: `InvalidArgument` when it is disabled. */
  sync(name: string, options?: CallOptions): Promise<Sync>;

  /** Its syncs, newest first. */
  syncs(name: string, options?: ListOptions): AsyncIterable<Sync>;

  /** Stops a sync, by the sync's own name, and gives it as it now stands. */
  cancelSync(name: string, options?: CallOptions): Promise<Sync>;
}

export interface AudienceMethods extends ResourceMethods<'audiences'>, SyncMethods {
  /** The members that the last sync found, by their ids; all pages are of the same sync. */
  members(audience: string, options?: ListOptions): AsyncIterable<AudienceMember>;

  /** Explains why a user is a member now, or is not. Kinds: `NotFound` also for a user without a profile. */
  explain(audience: string, userId: string, options?: CallOptions): Promise<ExplainedMember>;

  /** Tries a definition on the profiles of a workspace; nothing is stored. Kinds: `InvalidArgument`. */
  preview(workspace: string, definition: AudienceDefinition, options?: CallOptions): Promise<AudiencePreview>;
}

export interface ComputedTraitMethods extends ResourceMethods<'computedTraits'>, SyncMethods {
  /** The values that the last sync found, by the ids of the users; all pages are of the same sync. */
  values(computedTrait: string, options?: ListOptions): AsyncIterable<ComputedTraitValue>;
}

export function audienceMethods(send: Send): AudienceMethods {
  const owner = 'client.audiences';
  return {
    ...resourceMethods('audiences', send),
    ...syncMethods('audiences', send),
    members(audience, options) {
      const ids = idsOf(`${owner}.members`, ITEMS.audiences, audience);
      return listAll(send, { owner, path: MEMBERS, ids, plural: 'members', mark: 'user_id' }, options);
    },
    async explain(audience, user, { signal } = {}) {
      const ids = { ...idsOf(`${owner}.explain`, ITEMS.audiences, audience), user };
      return ask(send, { method: 'get', path: MEMBER, ids, signal }, 'user_id');
    },
    async preview(workspace, definition, { signal } = {}) {
      const ids = idsOf(`${owner}.preview`, RESOURCES.workspaces.item, workspace);
      return ask(send, { method: 'post', path: PREVIEW, ids, body: { definition }, signal }, 'history_from');
    },
  };
}

export function computedTraitMethods(send: Send): ComputedTraitMethods {
  const owner = 'client.computedTraits';
  return {
    ...resourceMethods('computedTraits', send),
    ...syncMethods('computedTraits', send),
    values(trait, options) {
      const ids = idsOf(`${owner}.values`, ITEMS.computedTraits, trait);
      return listAll(send, { owner, path: VALUES, ids, plural: 'values', mark: 'user_id' }, options);
    },
  };
}

function syncMethods(kind: keyof typeof ITEMS, send: Send): SyncMethods {
  const [owner, item] = [`client.${kind}`, ITEMS[kind]];
  return {
    async sync(name, { signal } = {}) {
      return ask(send, { method: 'post', path: `${item}:sync`, ids: idsOf(owner, item, name), signal }, 'name');
    },
    syncs(name, options) {
      const ids = idsOf(owner, item, name);
      return listAll(send, { owner, path: `${item}/syncs`, ids, plural: 'syncs', mark: 'name' }, options);
    },
    async cancelSync(name, { signal } = {}) {
      const template = `${templateOf(item)}/syncs/{sync}`;
      const ids = idsIn(template, name);
      if (ids === undefined)
        throw new TypeError(`${owner} takes syncs of the form ${formOf(template)}, got ${quoted(name)}`);
      return ask(send, { method: 'post', path: `${item}/syncs/{sync}:cancel`, ids, signal }, 'name');
    },
  };
}
