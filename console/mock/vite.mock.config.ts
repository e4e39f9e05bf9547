import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import console from '../vite.config.ts';

const platform = (name: string): string => join(import.meta.dirname, 'platform', `${name}.ts`);

/** The console as it is, but for its start: the stand-in first. */
const startWithStandIn: Plugin = {
  name: 'waybill-mock',
  transformIndexHtml: { order: 'pre', handler: (html) => html.replace('/src/main.tsx', '/mock/main.ts') },
  generateBundle() {
    const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
    this.emitFile({ type: 'asset', fileName: 'mockServiceWorker.js', source: readFileSync(worker, 'utf8') });
  },
};

export default mergeConfig(
  console,
  defineConfig({
    plugins: [startWithStandIn],
    resolve: {
      alias: {
        'node:crypto': platform('crypto'),
        'node:stream': platform('stream'),
        'node:async_hooks': platform('async-hooks'),
        'node:fs': platform('rest'),
        'node:util': platform('rest'),
        'node:net': platform('rest'),
      },
    },
    build: { outDir: 'mock/dist', emptyOutDir: true },
  }),
);
