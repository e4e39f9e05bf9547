import { workspaceOf } from '../../model/resource-names.ts';
import type { AccessToken } from '../../model/resources.ts';
import type { Entry } from '../config-store.ts';
import { toEntry } from './stored-entry.ts';

/** What becomes of tokens when a workspace goes: of those that see nothing else, the names. */
export interface Unbound {
  readonly gone: readonly string[];
  readonly others: readonly Entry<AccessToken>[];
}

/**
 * A token names workspaces, and names may be given again: whoever had a workspace that was removed must not see the one that is
 * made under its name later. One that is left without a workspace would see all of them, so it goes.
 */
export function unbound(tokens: Iterable<Entry<AccessToken>>, workspace: string): Unbound {
  const bound = Array.from(tokens).filter(({ resource }) => resource.workspace_names.includes(workspace));
  const [wider, gone] = [bound.filter(isWider), bound.filter((entry) => !isWider(entry))];
  return { gone: gone.map(({ name }) => name), others: wider.map((entry) => without(entry, workspace)) };
}

function isWider({ resource }: Entry<AccessToken>): boolean {
  return resource.workspace_names.length > 1;
}

function without({ sequence, resource }: Entry<AccessToken>, workspace: string): Entry<AccessToken> {
  const { workspace_names: names, resource_names: limits } = resource;
  return toEntry(sequence, {
    ...resource,
    workspace_names: names.filter((name) => name !== workspace),
    ...(limits !== undefined && { resource_names: limits.filter((name) => workspaceOf(name) !== workspace) }),
  });
}
