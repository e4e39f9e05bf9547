import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,client,testbed,scripts}/**/*.test.ts'],
    // Vitest would set it to `test`, and no part of Waybill may behave differently under test.
    env: { NODE_ENV: 'production' },
  },
});
