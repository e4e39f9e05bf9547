import type { Kind, Resources } from '../../config-store.ts';
import { Table } from './table.ts';

export type Tables = { readonly [K in Kind]: Table<Resources[K]> };

/** What one file holds. A published state is never changed; a change forks it. */
export interface State {
  /** The last number given to a row of this file: never given again, so that no page skips a row (CFG-6). */
  readonly sequence: number;
  /** Ids of removed workspaces whose files may still be there. Only the root file has any. */
  readonly removed: readonly string[];
  readonly tables: Tables;
}

export const KINDS = [
  'access-tokens',
  'workspaces',
  'sources',
  'destinations',
  'tracking-plans',
  'regulations',
  'filters',
] as const satisfies Kind[];

export function emptyState(): State {
  return { sequence: 0, removed: [], tables: copyTables() };
}

export function copyTables(from?: Tables): Tables {
  return {
    'access-tokens': new Table(from?.['access-tokens']),
    workspaces: new Table(from?.workspaces),
    sources: new Table(from?.sources),
    destinations: new Table(from?.destinations),
    'tracking-plans': new Table(from?.['tracking-plans']),
    regulations: new Table(from?.regulations),
    filters: new Table(from?.filters),
  };
}
