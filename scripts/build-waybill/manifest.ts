/** The parts of a `package.json` of the workspace that the published one is made from. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** All of them optional. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Of parts of the client that are no part of the command. */
const UNUSED = ['valibot'];

/** The oldest long-term Node that runs the router. */
export const OLDEST_NODE = 24;

/**
 * The `package.json` of the folder that is published. Versions are exact, as they were tested together: what is installed
 * is a program, and no part of somebody's own.
 */
export function publishedManifest(root: Manifest, parts: readonly Manifest[]): object {
  const dependencies = parts
    .flatMap((part) => Object.entries(part.dependencies ?? {}))
    .filter(([name]) => !UNUSED.includes(name));
  const peers = parts.flatMap((part) => Object.entries(part.peerDependencies ?? {}));
  return {
    name: 'waybill',
    version: root.version,
    description: root.description,
    license: root.license,
    type: 'module',
    engines: { node: `>=${OLDEST_NODE}` },
    bin: { waybill: 'bin/waybill.js' },
    exports: {
      '.': { types: './server/app.d.ts', default: './server/app.js' },
      './package.json': './package.json',
      './waybill.schema.json': './generated/waybill.schema.json',
    },
    files: ['CHANGELOG.md', 'bin', 'cli', 'client', 'console', 'docs', 'generated', 'server'],
    dependencies: Object.fromEntries(dependencies.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(peers.map(([name]) => [name, { optional: true }])),
  };
}
