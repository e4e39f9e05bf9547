import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import console from '../vite.config.ts';

const platform = (name: string): string => join(import.meta.dirname, 'platform', `${name}.ts`);

/** A page would end with it, without a word of which. */
const nothingOfNode: Plugin = {
  name: 'waybill-nothing-of-node',
  enforce: 'pre',
  resolveId(module) {
    if (module.startsWith('node:'))
      this.error(`${module} is loaded for the mock, and has nothing in console/mock/platform`);
  },
};

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
    plugins: [startWithStandIn, nothingOfNode],
    resolve: {
      alias: {
        'node:crypto': platform('crypto'),
        'node:stream': platform('stream'),
        'node:async_hooks': platform('async-hooks'),
        'node:fs': platform('rest'),
        'node:util': platform('rest'),
        'node:net': platform('rest'),
        'node:os': platform('rest'),
        'node:timers/promises': platform('rest'),
      },
    },
    build: { outDir: 'mock/dist', emptyOutDir: true },
  }),
);
