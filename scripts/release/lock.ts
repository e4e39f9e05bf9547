import { posix } from 'node:path';

/** What `package-lock.json` says of a package. */
export interface Locked {
  readonly version: string;
  readonly license?: string;
  /** Of its tarball: `sha512-…` in Base64. */
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export type Lock = Readonly<Record<string, Locked>>;

/** A package that another one needs, and what it needs itself. */
export interface Needed extends Locked {
  readonly name: string;
  readonly path: string;
  /** Paths in the lock. */
  readonly needs: readonly string[];
}

/**
 * All that `names` need, found from the first of the folders that has it, by its path in the lock. As npm installs it: optional
 * packages come along, optional peers do not.
 */
export function neededBy(names: readonly string[], folders: readonly string[], lock: Lock): readonly Needed[] {
  const found = new Map<string, Needed>();
  const waiting = names.map((name) => firstOf(name, folders, lock));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const locked = lock[path];
    if (locked === undefined || found.has(path)) continue;
    const needs = namesIn(locked).flatMap((name) => resolved(name, path ?? '', lock) ?? []);
    found.set(path, { ...locked, path, name: nameOf(path), needs });
    waiting.push(...needs);
  }
  return [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

export function firstOf(name: string, folders: readonly string[], lock: Lock): string {
  // What a part has for itself comes before what all share.
  const paths = [...folders.map((folder) => posix.join(folder, 'node_modules', name)), `node_modules/${name}`];
  const path = paths.find((each) => lock[each] !== undefined);
  if (path === undefined) throw new Error(`package-lock.json has no ${name}: run npm install`);
  return path;
}

function namesIn({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked): string[] {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true);
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers];
}

/** As Node looks for it: in the package itself, and then in each folder above. */
function resolved(name: string, from: string, lock: Lock): string | undefined {
  const path = posix.join(from, 'node_modules', name);
  if (lock[path] !== undefined) return path;
  if (from === '.' || from === '') return undefined;
  return resolved(name, posix.dirname(from), lock);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
