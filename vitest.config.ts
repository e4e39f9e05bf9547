import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,client,cli,testbed,console,scripts}/**/*.test.ts'],
    // Every body that a router sends in a test is held to the contract.
    setupFiles: ['testbed/tests/support/sent-bodies-guard.ts'],
    tags: [{ name: 'broken-bodies', description: 'sends webhook bodies that break the contract, on purpose' }],
    // While tests run, the default ports are held: no test may need one, nor rely on what stands there. Who asks gets a
    // PostgreSQL server.
    globalSetup: [
      'scripts/check/hold-ports.ts',
      'scripts/check/built-console.ts',
      'server/tests/support/offer-postgres.ts',
    ],
    // These end what hangs, and measure nothing: real processes start and stop in some tests, on machines that are busy
    // with others, and a test that passes never waits so long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Vitest would set it to `test`, and no part of Waybill may behave differently under test.
    env: { NODE_ENV: 'production' },
  },
});
