import { hash } from 'node:crypto';
import { slugOf, workspaceOf } from '../../model/resource-names.ts';
import type { KeptKey } from '../../model/resources.ts';
import type { Tables } from './tables.ts';

/** So many former write keys are kept in a workspace, the latest; and so many of all workspaces that were removed. */
export const FORMER_KEYS = 10_000;
/** So many of one workspace that was removed: no tenant drives out what is kept of others. */
const OF_REMOVED = 1_000;

/** 132 bits: neither does a key follow from them, nor is there another one that has them too. */
const DIGEST_LENGTH = 22;

function digestOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, DIGEST_LENGTH);
}

/** The row that keeps a key for its workspace, in it. */
export function formerKey(workspace: string, key: string): KeptKey {
  return { name: `${workspace}/former-keys/${digestOf(key)}` };
}

/** The rows that keep the keys of a workspace that is removed, at the root. */
export function keysLeftBy(workspace: string, { sources, 'former-keys': former }: Tables): KeptKey[] {
  const digests = new Set(Array.from(former.all(), ({ name }) => slugOf(name)));
  for (const { resource } of sources.all()) for (const key of resource.write_keys) digests.add(digestOf(key));
  return [...digests].slice(-OF_REMOVED).map((digest) => ({ name: `former-keys/${digest}.${slugOf(workspace)}` }));
}

function holderOf(name: string): string {
  return name.startsWith('workspaces/') ? workspaceOf(name) : `workspaces/${slugOf(name).slice(DIGEST_LENGTH + 1)}`;
}

/**
 * Whose sources had which write keys before. Apps in the field go on sending with a key that was rotated out: who could have it
 * next would get their events, and keys in apps are public.
 */
export class FormerKeys {
  /** The names of rows, by the digest of the key that they keep. */
  readonly #rows = new Map<string, Set<string>>();

  put(name: string): void {
    const digest = slugOf(name).slice(0, DIGEST_LENGTH);
    const rows = this.#rows.get(digest);
    if (rows === undefined) this.#rows.set(digest, new Set([name]));
    else rows.add(name);
  }

  remove(name: string): void {
    const digest = slugOf(name).slice(0, DIGEST_LENGTH);
    const rows = this.#rows.get(digest);
    rows?.delete(name);
    if (rows?.size === 0) this.#rows.delete(digest);
  }

  /** Whether another workspace than these had the key. */
  areOfOthers(key: string, workspaces: readonly string[]): boolean {
    const rows = this.#rows.get(digestOf(key)) ?? [];
    return Array.from(rows).some((name) => !workspaces.includes(holderOf(name)));
  }
}
