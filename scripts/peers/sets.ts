/** What a set runs in its project. */
export interface PeerRun {
  readonly name: string;
  /** The program in `node_modules`, and what it is given. */
  readonly runs: readonly [string, ...string[]];
  /** How the output of a run begins or ends that went well. */
  readonly well: RegExp;
  /** Why it cannot work: it has to fail then, or the reason is one no more. */
  readonly reason?: string;
}

/** Packages that users have beside the kit, as npm names them, and what has to work with them. */
export interface PeerSet {
  readonly name: string;
  readonly packages: readonly string[];
  readonly all: readonly PeerRun[];
  /** Whether what runs finds a router, by WAYBILL_URL and WAYBILL_TOKEN. */
  readonly needsRouter?: boolean;
  /** CI tries those that `npm test` does not have: it runs the examples with the packages of its own and the oldest. */
  readonly isInCi: boolean;
}

export const RUNTIMES = ['node@22.19.0', 'node@26', 'bun@1', 'deno@2'] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** The entries of the package, and its commands. */
export const PARTS = [
  '.',
  './audit',
  './certify',
  './certify-sender',
  './contract',
  './jest',
  './msw',
  './nock',
  './node-test',
  './outages',
  './receiver',
  './recordings',
  './schemes',
  './scripts',
  './vitest',
  'waybill-certify',
  'waybill-certify-sender',
  'waybill-receiver',
  'waybill-simulate',
] as const;
export type Part = (typeof PARTS)[number];

const UNDICI = 'the delivery engine needs undici, of which Bun has a stand-in without dispatchers';
const FETCH = 'does not see what the fetch of this runtime sends';

/** Where something does not work, and why. */
export const REASONS: Readonly<Partial<Record<Runtime, Readonly<Partial<Record<Part, string>>>>>> = {
  'bun@1': { './certify': UNDICI, 'waybill-certify': UNDICI, './msw': `MSW ${FETCH}`, './nock': `nock ${FETCH}` },
  'deno@2': { './msw': `MSW ${FETCH}`, './nock': `nock ${FETCH}` },
};

const VITEST = 'node_modules/vitest/vitest.mjs';
/** The machine may be busy with others. */
const PATIENT = '--testTimeout=300000';
const NODES = ['22.19.0', '24', '26'];
const TOOLS: readonly (readonly string[])[] = [
  ['vitest@3.2.0', 'vite@7', 'msw@2.5.0', 'nock@14.0.0'],
  ['vitest@4', 'vite@7', 'msw@2', 'nock@14'],
  ['vitest@5', 'msw@3', 'nock@15'],
];

export const SETS: readonly PeerSet[] = [
  ...RUNTIMES.map((runtime) => ({
    name: `${runtime}, each entry`,
    packages: [runtime, 'msw@3', 'nock@15', 'fast-check@4'],
    all: PARTS.map((part) => ({ name: part, ...runOf(runtime, part), well: /^works$/m })),
    isInCi: !runtime.startsWith('node@'),
  })),
  ...NODES.map((node) => ({
    name: `node@${node} --test`,
    packages: [`node@${node}`],
    all: [{ name: 'node:test', runs: ['node/bin/node', '--test', 'sent.ts'] as const, well: /^. pass 3$/m }],
    isInCi: node === '24',
  })),
  ...TOOLS.flatMap((tools) => NODES.map((node) => withVitest(node, tools))),
  ...['30.0.0', '30'].flatMap((jest) => NODES.map((node) => withJest(node, jest))),
];

function withVitest(node: string, tools: readonly string[]): PeerSet {
  const packages = [`node@${node}`, ...tools];
  return {
    name: packages.join(' '),
    packages: [...packages, 'fast-check@4'],
    all: [{ name: 'the examples', runs: ['node/bin/node', VITEST, 'run', PATIENT], well: /Test Files .*7 passed/ }],
    isInCi: node === '24' && tools.includes('vitest@4'),
  };
}

function withJest(node: string, jest: string): PeerSet {
  const flags = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testRegex', 'jest-matchers.js$'];
  return {
    name: `node@${node} jest@${jest}`,
    packages: [`node@${node}`, `jest@${jest}`],
    all: [{ name: 'matchers', runs: ['node/bin/node', ...flags], well: /Tests: +1 passed/ }],
    isInCi: false,
  };
}

function runOf(runtime: Runtime, part: Part): Pick<PeerRun, 'runs' | 'reason'> {
  const file = part.startsWith('waybill-') ? 'commands.ts' : 'entries.ts';
  const reason = REASONS[runtime]?.[part];
  const programs = { node: ['node/bin/node'], bun: ['bun/bin/bun.exe'], deno: ['deno/bin.cjs', 'run', '-A'] } as const;
  const [program, ...flags] = programs[runtime.startsWith('node') ? 'node' : runtime === 'bun@1' ? 'bun' : 'deno'];
  return { runs: [program, ...flags, file, part], ...(reason === undefined ? {} : { reason }) };
}
