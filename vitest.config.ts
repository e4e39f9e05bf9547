import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowFirst } from './scripts/check/slow-first.ts';

// Vitest would set it to `test`, and no part of Waybill may behave differently under test; packages have files of their own for
// those who develop them, which are not what a router loads.
process.env['NODE_ENV'] = 'production';

/** They measure their process, change what is global in it, or leave something open; or they run others for minutes. */
const ALONE = [
  'scripts/{crash/{crash,late}*,faults/*,release/release}.test.ts',
  'server/tests/rules/{safe-1-{pipelining,processor,routes,shared-memory,unread-answers},safe-2-*,live-events}.test.ts',
  'server/tests/compliance/ingestion-gzip.test.ts',
  'client/tests/{compliance,faults,regressions,rules}/analytics-*.test.ts',
  'testbed/examples/*.test.ts',
  'testbed/tests/architecture/docs.test.ts',
  'testbed/tests/compliance/config-api-handlers.test.ts',
  'testbed/tests/contract/sent-bodies.test.ts',
  'testbed/tests/faults/control-leaks.test.ts',
  'testbed/tests/parity/{config-api,msw,nock}.test.ts',
  'testbed/tests/schemes/{nock,receivers}.test.ts',
];

/**
 * Test files that share a process with others, one after the other: the router, or what else they need, is loaded once. The guard
 * finds what one of them leaves behind.
 */
const SHARING = globSync('{cli,client,scripts,server,testbed}/**/*.test.ts', {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules/**', ...ALONE],
});

/** They look at pages, all in one browser. What a router and a page need is loaded once for several files. */
const BROWSING = ['console/tests/*.test.ts'];

/** Where a newer PostgreSQL than that of the system was installed, with which the tests of the storage run once more. */
const NEWEST_PGBIN = process.env['NEWEST_PGBIN'];

const common = {
  // Node itself loads tests and what they test, as it loads a router: what it compiled once, all processes find again.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A tenth of the processor time of all tests is the collection of what is young.
  execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
  // Every body that a router sends in a test is held to the contract.
  setupFiles: ['testbed/tests/support/sent-bodies-guard.ts'],
  // Vitest would leave a core to itself; three more than there are work while others wait for a process or a socket.
  maxWorkers: availableParallelism() + 3,
  // These end what hangs, and measure nothing: real processes start and stop in some tests, on machines that are busy
  // with others, and a test that passes never waits so long.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  env: {
    // Half of what a start of the router takes is compiling it: hundreds of processes do so once.
    NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
  },
};

const sharing = { ...common, isolate: false, setupFiles: ['scripts/check/leak-guard.ts', ...common.setupFiles] };

export default defineConfig({
  test: {
    tags: [
      { name: 'broken-bodies', description: 'sends webhook bodies that break the contract, on purpose' },
      {
        name: 'long',
        description: 'takes minutes, beside a shorter test of the same rule; `npm test -- --long` runs it',
      },
    ],
    // Folders of tests are in memory. While tests run, the default ports are held: no test may need one, nor rely on what
    // stands there. Who asks gets a PostgreSQL server.
    globalSetup: [
      'scripts/check/folders-in-memory.ts',
      'scripts/check/hold-ports.ts',
      'scripts/check/built-console.ts',
      'server/tests/support/offer-postgres.ts',
    ],
    // All projects are one queue: while the last long runs of one wait for leases to end, files of the next have begun.
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'alone',
          include: ['{server,client,cli,testbed,console,scripts}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING, ...BROWSING],
        },
      },
      {
        test: {
          ...common,
          name: 'browsing',
          include: BROWSING,
          isolate: false,
          // Each look is work for the browser as well.
          expect: { poll: { ...common.expect.poll, interval: 200 } },
          globalSetup: ['scripts/check/offer-chromium.ts'],
          setupFiles: [
            'scripts/check/leak-guard.ts',
            'console/tests/support/disconnect-browser.ts',
            ...common.setupFiles,
          ],
        },
      },
      { test: { ...sharing, name: 'sharing', include: SHARING } },
      ...(NEWEST_PGBIN === undefined
        ? []
        : [
            {
              test: {
                ...sharing,
                name: 'newest-postgres',
                include: ['server/tests/postgres/*.test.ts'],
                globalSetup: ['server/tests/support/offer-newest-postgres.ts'],
                env: { ...common.env, PGBIN: NEWEST_PGBIN },
              },
            },
          ]),
    ],
  },
});
