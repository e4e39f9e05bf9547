import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../../../scripts/generate/root.ts';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: true }>>;
}

export function manifestIn(folder: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return manifest;
}

/**
 * Puts an unpacked package into a project, as `npm install <tarball>` does, without a network: with all that it depends
 * on, from this workspace, each where it stands here. Nothing else can be imported there.
 */
export function installInto(project: string, unpacked: string, name: string): void {
  const own = join(project, 'node_modules', name);
  copyPackage(unpacked, own);
  for (const dependency of Object.keys(manifestIn(unpacked).dependencies ?? {})) {
    const parts = ['server', 'client', 'cli'].map((part) => join(ROOT, part, 'node_modules', dependency));
    const nested = parts.find((path) => existsSync(path));
    if (nested === undefined) place(join(ROOT, 'node_modules', dependency), project);
    else copyPackage(nested, join(own, 'node_modules', dependency));
  }
}

/** Puts an optional package of the workspace beside it. */
export function placePeer(name: string, project: string): void {
  place(join(ROOT, 'node_modules', name), project);
}

/** Copies a package of the workspace to the same place of the project, and what it depends on. */
function place(from: string, project: string): void {
  const to = join(project, relative(ROOT, from));
  if (existsSync(join(to, 'package.json'))) return;
  copyPackage(from, to);
  for (const dependency of Object.keys(manifestIn(from).dependencies ?? {})) place(resolved(from, dependency), project);
}

function copyPackage(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const nested = join(from, 'node_modules');
  cpSync(from, to, { recursive: true, dereference: true, filter: (path) => path !== nested });
}

/** As Node looks for it: in the package itself, and then in each folder above. */
function resolved(from: string, dependency: string): string {
  const path = join(from, 'node_modules', dependency);
  if (existsSync(path)) return path;
  if (from === dirname(from)) throw new Error(`${dependency} is not installed in this workspace`);
  return resolved(dirname(from), dependency);
}
