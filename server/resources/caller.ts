import type { StoredToken } from '../storage/config-store.ts';

/** Who sent a request. */
export interface Caller {
  readonly token: StoredToken;
}

/** An empty list means every workspace, those made later too (D-8). */
export function isBound({ token }: Caller): boolean {
  return token.workspace_names.length > 0;
}

export function seesWorkspace(caller: Caller, workspace: string): boolean {
  return !isBound(caller) || caller.token.workspace_names.includes(workspace);
}

/** A bound token sees the tokens that reach no further than itself. */
export function seesToken(caller: Caller, { workspace_names: names }: StoredToken): boolean {
  return !isBound(caller) || (names.length > 0 && names.every((name) => seesWorkspace(caller, name)));
}

export function canWrite({ scopes }: StoredToken): boolean {
  return scopes === 'workspace';
}

/** Write scope on everything: one such token has to stay, or nobody could ever make another. */
export function isMaster(token: StoredToken): boolean {
  return canWrite(token) && token.workspace_names.length === 0;
}
