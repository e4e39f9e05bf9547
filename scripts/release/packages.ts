import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../build-client/build.ts';
import { buildTestbed } from '../build-testbed/build.ts';
import { buildWaybill } from '../build-waybill/build.ts';
import { ROOT } from '../generate/root.ts';
import { billOf, type Released } from './bom.ts';
import { firstOf, type Lock, type Needed, neededBy } from './lock.ts';

/** A package that is published. */
export interface PackageKind {
  readonly build: (folder: string) => void;
  /** Folders of the workspace whose packages it was tested with. */
  readonly parts: readonly string[];
  /** What was compiled into its files. */
  readonly bundled: (lock: Lock) => readonly Needed[];
}

export const PACKAGES: readonly PackageKind[] = [
  { build: buildWaybill, parts: ['server', 'client', 'cli'], bundled: inConsoleAndReference },
  { build: buildClient, parts: ['client'], bundled: () => [] },
  {
    build: buildTestbed,
    parts: ['testbed', 'client', 'server'],
    bundled: (lock) => inPage('console/receiver', lock),
  },
];

/** The pages of the reference are shown by Redoc. */
function inConsoleAndReference(lock: Lock): readonly Needed[] {
  return [...inPage('console', lock), redoc()];
}

/** What the bundler found a license for, as it is in the page. */
function inPage(folder: string, lock: Lock): readonly Needed[] {
  const licenses = readFileSync(join(ROOT, folder, 'dist/licenses.md'), 'utf8');
  const names = [...licenses.matchAll(/^## (\S+) - \d/gm)].map(([, name = '']) => name);
  const own = new Set(names);
  return neededBy(names, ['console'], lock).filter(({ name }) => own.has(name));
}

/** It comes within another package, and says its version in its first lines. */
function redoc(): Needed {
  const code = readFileSync(join(ROOT, 'generated/docs/redoc.standalone.js'), 'utf8');
  const [, version] = /Version: (\d[\w.-]*)/.exec(code.slice(0, 1_000)) ?? [];
  if (version === undefined) throw new Error('generated/docs/redoc.standalone.js does not say its version any more');
  return { name: 'redoc', path: 'generated/docs', version, license: 'MIT', needs: [] };
}

/** What a package says of itself once it is built. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The bill of materials of a package: what is installed with it, and what was compiled into it. */
export function billFor(
  { parts, bundled }: PackageKind,
  { name, version, license, description, dependencies }: Manifest,
  { sha256, at }: Pick<Released, 'sha256' | 'at'>,
): string {
  const lock = readLock();
  const installed = installedWith(Object.keys(dependencies), parts, lock);
  return billOf({ name, version, license, description, sha256, at, ...installed, bundled: bundled(lock) });
}

export function readLock(): Lock {
  const { packages }: { readonly packages: Lock } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return packages;
}

/** What is installed with a package: all, and what it names itself. */
export function installedWith(names: readonly string[], parts: readonly string[], lock: Lock) {
  return {
    dependencies: neededBy(names, parts, lock),
    direct: names.map((name) => firstOf(name, parts, lock)),
  };
}
