import type { AccessToken, AuditEntry, Kind, Resources } from '../model/resources.ts';

export interface Row<R> {
  /** Grows with each create in a collection; the stable order of its pages (CFG-6). */
  readonly sequence: number;
  readonly resource: R;
}

/** A row as a store holds it. */
export interface Entry<R> extends Row<R> {
  readonly name: string;
  /** The JSON of the resource, so that a write costs what changed and not what is stored. */
  readonly text: string;
}

/**
 * Characters of JSON that a workspace holds, and so do those at the root together: every router has all of them in memory, and a
 * file is written whole with each change.
 */
export const HOME_LENGTH = 64_000_000;
/** So much more it holds of what must not wait for somebody to tidy up. */
export const RESERVE_LENGTH = 1_000_000;

/** A change would make a workspace hold more than it may; nothing of it holds. The API answers 400. */
export class HomeFull extends Error {
  override readonly name = 'HomeFull';
}

/** A row as a commit left it; undefined where the commit removed it. */
export type Change<Of extends Kind = Kind> = {
  [K in Of]: { readonly kind: K; readonly name: string; readonly row: Entry<Resources[K]> | undefined };
}[Of];

/** What became durable at one moment, of one workspace or of the root. */
export interface Commit<Of extends Kind = Kind> {
  /** Full name of the workspace; empty at the root, where workspaces themselves and access tokens are. */
  readonly workspace: string;
  /** Greater than that of any earlier commit of this storage. */
  readonly version: number;
  /** One for each row that changed. The removal of a workspace removes what is below it without a word of each. */
  readonly changes: readonly Change<Of>[];
}

export interface Page {
  /** Only rows with a greater sequence; 0 starts at the beginning. */
  readonly after: number;
  readonly limit: number;
}

export type Creation = 'created' | 'name taken' | 'write key taken' | 'parent missing' | 'no room';

/** The store could not write; nothing of the change holds. The API answers 503. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** A change would give a resource a key that another one has, or had; nothing of it holds. The API answers 409. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** What a change may look at, as it stands at the moment of the change. */
export interface Home {
  readonly get: <K extends Kind>(kind: K, name: string) => Resources[K] | undefined;
  /** All of a kind in the workspace of what is changed, or all at the root: for kinds that a workspace has few of. */
  readonly all: <K extends Kind>(kind: K) => readonly Resources[K][];
  /** Characters of JSON in the tokens of a workspace. */
  readonly lengthOfTokens: (workspace: string) => number;
}

/** Who asks for a change: what is kept of it, beside the change, in an `audit-entries`. */
export interface Author extends Pick<
  AuditEntry,
  'create_time' | 'operation' | 'token' | 'token_description' | 'address'
> {
  /** Those that the token is bound to; none: all. No write key comes from any other (D-10). Not part of the entry. */
  readonly workspaces?: readonly string[];
}

/** May throw to refuse: its error is passed on, and nothing changes. Pure; may be called more than once. */
export type Fit<R> = (resource: R, home: Home) => R;

/** What a removal may look at. */
export interface Surroundings<R> extends Home {
  /** The other resources of the same collection. */
  readonly siblings: () => readonly R[];
  /** Whether anything of this kind stands directly below the resource. */
  readonly has: (kind: Kind) => boolean;
}

/** May throw to refuse a removal: its error is passed on, and nothing changes. Pure; may be called more than once. */
export type RemovalCheck<R> = (resource: R, around: Surroundings<R>) => void;

/**
 * Resources by full name. A resolved change is on disk, and every later read sees it (D-13); a rejected one left
 * nothing behind. Changes of one resource are applied one after another, so none is lost. A change that has an author is stored together
 * with an entry of it, or not at all.
 */
export interface ConfigStore {
  get<K extends Kind>(kind: K, name: string): Promise<Resources[K] | undefined>;
  /** Rows below `parent` (empty for the collections at the root), in order of creation. */
  list<K extends Kind>(kind: K, parent: string, page: Page): Promise<readonly Entry<Resources[K]>[]>;
  /**
   * With `most`, there is no room for more of this kind below the same parent. What is stored is what `fit` makes of the
   * resource, once nothing stands in its way.
   */
  create<K extends Kind>(
    kind: K,
    resource: Resources[K],
    most?: number,
    fit?: Fit<Resources[K]>,
    author?: Author,
  ): Promise<Creation>;
  /**
   * Replaces a resource by `change(current)`; undefined when there is none. Rejects with KeyTaken where another resource
   * has one of its new keys, or the author may not have it.
   */
  update<K extends Kind>(
    kind: K,
    name: string,
    change: Fit<Resources[K]>,
    author?: Author,
  ): Promise<Resources[K] | undefined>;
  /**
   * Removes a resource and everything below it; false when there is none. Of an audience or computed trait the key stays, as a
   * `computation-keys`, and so do write keys, as `former-keys`;
   * of a workspace the name, until it is created again, as a `removed-workspaces`.
   */
  remove<K extends Kind>(kind: K, name: string, check?: RemovalCheck<Resources[K]>, author?: Author): Promise<boolean>;
  /**
   * The change feed: tells the listener of all that stands, and from then on of each commit, in the order of the commits
   * and before the change is answered. Answers how to stop it. The listener must not throw. With `kinds` it hears of resources
   * of these alone, and of commits that have some.
   */
  watch<K extends Kind = Kind>(listener: (commit: Commit<K>) => void, kinds?: readonly K[]): Promise<() => void>;
  /**
   * Resolves once the change feed has told all that was answered before this call, by whichever router (NODE-5). However
   * many ask at the same time cost no more than two.
   */
  refresh(): Promise<void>;
  tokenByHash(hash: string): Promise<AccessToken | undefined>;
  close(): Promise<void>;
}

/** The most that one call of the store is asked for. */
const PAGE = 1_000;

/** Every row of a collection, in order of creation. */
export async function allRows<K extends Kind>(
  store: Pick<ConfigStore, 'list'>,
  kind: K,
  parent: string,
): Promise<Entry<Resources[K]>[]> {
  const found: Entry<Resources[K]>[] = [];
  let rows: readonly Entry<Resources[K]>[] = [];
  do {
    rows = await store.list(kind, parent, { after: found.at(-1)?.sequence ?? 0, limit: PAGE });
    found.push(...rows);
  } while (rows.length === PAGE);
  return found;
}
