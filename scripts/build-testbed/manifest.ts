import { join } from 'node:path';

/** The parts of a `package.json` of the workspace that the published one is made from. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The workspace whose packages are the oldest that the tests use the kit with: its peers, and Node itself. */
export const OLDEST_PEERS = 'scripts/peers/oldest';

/** What every entry needs. */
const DEPENDENCIES = ['ajv', 'ajv-formats', 'ipaddr.js', 'picocolors', 're2js', 'undici', 'valibot'];
/** What one entry needs, and its user has already: a second copy of MSW or of Vitest would be another MSW, and not theirs. */
const PEERS = ['expect', 'fast-check', 'jest', 'msw', 'nock', 'vitest'];

/**
 * The `package.json` of the folder that is published; the first manifest is that of the testbed itself. What users have
 * already may be as old as what `oldest` names, and no older.
 */
export function publishedManifest(manifests: readonly Manifest[], oldest: Manifest): object {
  const [own] = manifests;
  if (own === undefined) throw new Error('there is no manifest of the testbed');
  return {
    name: own.name,
    version: own.version,
    description: 'Every fault that a webhook endpoint can have, in process, on real sockets, and in virtual time.',
    license: own.license,
    type: 'module',
    engines: { node: `>=${oldestNode(oldest)}` },
    exports: publishedExports(own.exports ?? {}),
    bin: Object.fromEntries(Object.keys(own.bin ?? {}).map((name) => [name, `bin/${name}.js`])),
    files: ['CHANGELOG.md', 'bin', 'client', 'console', 'docs', 'generated', 'server', 'testbed'],
    dependencies: rangesOf(DEPENDENCIES, manifests),
    peerDependencies: { ...rangesOf(PEERS, manifests), ...peersSince(oldest) },
    peerDependenciesMeta: Object.fromEntries(PEERS.map((name) => [name, { optional: true }])),
  };
}

export function oldestNode({ devDependencies }: Manifest): string {
  const version = devDependencies?.['node'];
  if (version === undefined) throw new Error(`${OLDEST_PEERS}/package.json names no version of Node`);
  return version;
}

function peersSince({ devDependencies = {} }: Manifest): Record<string, string> {
  const peers = Object.entries(devDependencies).filter(([name]) => PEERS.includes(name));
  return Object.fromEntries(peers.map(([name, version]) => [name, `>=${version}`]));
}

/** The commands of the package, by name, with the compiled file that each one runs. */
export function commandsOf({ bin = {} }: Manifest): readonly (readonly [name: string, file: string])[] {
  return Object.entries(bin).map(([name, source]) => [name, join('testbed', source.replace(/\.ts$/, '.js'))]);
}

function publishedExports(sources: Readonly<Record<string, string>>): Record<string, object | string> {
  const entries = Object.entries(sources).map(([entry, path]) => {
    const compiled = path.replace(/^\.\//, './testbed/').replace(/\.ts$/, '');
    return [entry, { types: `${compiled}.d.ts`, default: `${compiled}.js` }] as const;
  });
  return { ...Object.fromEntries(entries), './package.json': './package.json' };
}

/** Exact versions are for this workspace; whoever installs the package may need a later patch. */
function rangesOf(names: readonly string[], manifests: readonly Manifest[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const found = manifests.map(
        ({ dependencies, devDependencies }) => dependencies?.[name] ?? devDependencies?.[name],
      );
      const version = found.find((each) => each !== undefined);
      if (version === undefined) throw new Error(`no package.json of the workspace says which ${name} it needs`);
      return [name, `^${version}`];
    }),
  );
}
