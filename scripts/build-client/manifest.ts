/** The parts of `client/package.json` that the published one is made from; its exports name sources. */
export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
}

/** Where TypeScript puts the compiled sources of `client/`, below the folder that is published. */
const COMPILED = './client/';

/**
 * The `package.json` of the folder that is published. Inside the workspace the entry points are sources, so that nothing
 * has to be built first; here they are what was built from them. ESM alone: whoever still needs `require` has it in
 * Node from 20.19 on, where it takes ESM. Dependencies are pinned here and not for those who install it: their other
 * packages may need a later patch.
 */
export function publishedManifest(source: SourceManifest): object {
  const { name, version, license, dependencies } = source;
  return {
    name,
    version,
    description: 'Waybill’s client: send events, configure the router, verify and read its webhooks.',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: publishedExports(source.exports),
    files: ['CHANGELOG.md', 'client', 'generated', 'docs'],
    dependencies: Object.fromEntries(
      Object.entries(dependencies).map(([dependency, exact]) => [dependency, `^${exact}`]),
    ),
  };
}

export function publishedExports(sources: SourceManifest['exports']): Record<string, object | string> {
  const entries = Object.entries(sources).map(([entry, path]) => {
    const compiled = path.replace(/^\.\//, COMPILED).replace(/\.ts$/, '');
    return [entry, { types: `${compiled}.d.ts`, default: `${compiled}.js` }] as const;
  });
  // Tools look up versions by it.
  return { ...Object.fromEntries(entries), './package.json': './package.json' };
}
