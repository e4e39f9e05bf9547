import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,client,testbed,scripts}/**/*.test.ts'],
    // Every body that a router sends in a test is held to the contract.
    setupFiles: ['testbed/tests/support/sent-bodies-guard.ts'],
    tags: [{ name: 'broken-bodies', description: 'sends webhook bodies that break the contract, on purpose' }],
    // Vitest would set it to `test`, and no part of Waybill may behave differently under test.
    // Real processes start and stop in some tests, on machines that are busy with others.
    testTimeout: 30_000,
    env: { NODE_ENV: 'production' },
  },
});
