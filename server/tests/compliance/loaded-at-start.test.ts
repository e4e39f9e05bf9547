import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

const SERVER = new URL('../../', import.meta.url);

/** Run before the entry: it writes what of Node and of the router a start should do without, once all is loaded. */
const WATCH = `
import { registerHooks } from 'node:module';
const engine = new Set();
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context);
    if (/\\/storage\\/postgres\\/(?!connection\\/address)/.test(found.url)) engine.add('the engine of PostgreSQL');
    return found;
  },
});
process.on('exit', () => {
  const fetch = process.moduleLoadList.includes('NativeModule internal/deps/undici/undici') ? ['fetch of Node'] : [];
  process.stderr.write(JSON.stringify([...engine, ...fetch]));
});`;

/** What of it an entry loads. */
function loadedBy(...args: readonly string[]): unknown {
  const watch = `--import=data:text/javascript,${encodeURIComponent(WATCH)}`;
  const { stderr } = spawnSync(process.execPath, [watch, ...args], { encoding: 'utf8', env: bareEnvironment() });
  return JSON.parse(stderr);
}

test('a router loads neither the engine of PostgreSQL nor the fetch of Node before it needs them', () => {
  expect(loadedBy(fileURLToPath(new URL('main.ts', SERVER)), '--help')).toEqual([]);
});

test.each([
  ['the engine of PostgreSQL', new URL('storage/postgres/open-migrated.ts', SERVER).href],
  ['fetch of Node', 'node:http'],
])('%s is found where it is loaded', (what, module) => {
  expect(loadedBy('--input-type=module', '--eval', `import ${JSON.stringify(module)}`)).toContain(what);
});
