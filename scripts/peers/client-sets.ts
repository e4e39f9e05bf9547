import { type PeerSet, SETS } from './sets.ts';

/** The oldest and the newest of what the client says it takes, and what is between. */
const CLIENT_RUNTIMES = ['node@20.0.0', 'node@22', 'node@24', 'node@26', 'bun@1', 'deno@2'] as const;
const TYPESCRIPTS = ['typescript@5.7.2', 'typescript@5', 'typescript@latest'] as const;

const PROGRAMS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  node: ['node/bin/node'],
  bun: ['bun/bin/bun.exe'],
  deno: ['deno/bin.cjs', 'run', '-A'],
};

/** As strict as it gets, and the declarations of the package are checked too. */
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'];

/**
 * The packed client against a router: an event, calls of the Config API, and a webhook that is verified, on each runtime; and
 * its types with each TypeScript. CI tries the oldest of both: tests of the client have later ones.
 */
export const CLIENT_SETS: readonly PeerSet[] = [
  ...CLIENT_RUNTIMES.map((runtime): PeerSet => {
    const [program, ...flags] = PROGRAMS[runtime.replace(/@.*/, '')] ?? ['no such program'];
    return {
      name: `${runtime}, the client`,
      packages: [runtime],
      all: [{ name: 'the client', runs: [program, ...flags, 'client.js'], well: /^works$/m }],
      needsRouter: true,
      isInCi: runtime === 'node@20.0.0',
    };
  }),
  ...TYPESCRIPTS.map((typescript): PeerSet => ({
    name: `${typescript}, the client`,
    packages: [typescript, '@types/node@22'],
    all: [{ name: 'types', runs: ['.bin/tsc', ...STRICT, '--types', 'node', 'client-types.ts'], well: /^$/ }],
    isInCi: typescript === 'typescript@5.7.2',
  })),
];

export const ALL_SETS: readonly PeerSet[] = [...SETS, ...CLIENT_SETS];
