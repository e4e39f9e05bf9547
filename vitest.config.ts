import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,client,testbed,scripts}/**/*.test.ts'],
    // Vitest would set it to `test`, and no part of Waybill may behave differently under test.
    // Real processes start and stop in some tests, on machines that are busy with others.
    testTimeout: 30_000,
    env: { NODE_ENV: 'production' },
  },
});
