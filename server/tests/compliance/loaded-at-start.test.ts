import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

const SERVER = new URL('../../', import.meta.url);

/** Run before the entry: it writes what of Node and of the router a start should do without, once all is loaded. */
const WATCH = `
import { registerHooks } from 'node:module';
const parts = new Set();
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context);
    if (/\\/storage\\/postgres\\/(?!connection\\/address)/.test(found.url)) parts.add('the engine of PostgreSQL');
    if (/\\/server\\/app\\.ts$/.test(found.url)) parts.add('the router');
    if (/\\/cli\\/(?:backup|send-event|tail-events|\\w+\\/commands?)\\.ts$/.test(found.url)) parts.add('another command');
    return found;
  },
});
process.on('exit', () => {
  const fetch = process.moduleLoadList.includes('NativeModule internal/deps/undici/undici') ? ['fetch of Node'] : [];
  process.stderr.write(JSON.stringify([...parts, ...fetch]));
});`;

/** What of it an entry loads. */
function loadedBy(...args: readonly string[]): unknown {
  const watch = `--import=data:text/javascript,${encodeURIComponent(WATCH)}`;
  const { stderr } = spawnSync(process.execPath, [watch, ...args], { encoding: 'utf8', env: bareEnvironment() });
  return JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1));
}

const MAIN = fileURLToPath(new URL('main.ts', SERVER));
const WAYBILL = fileURLToPath(new URL('../cli/waybill.ts', SERVER));

test('a router loads neither the engine of PostgreSQL nor the fetch of Node before it needs them', () => {
  expect(loadedBy(fileURLToPath(new URL('app.ts', SERVER)))).toEqual(['the router']);
});

test.each([
  ['that asks for help', MAIN, '--help'],
  ['with a setting that cannot be', MAIN, '--port=none'],
  ['of the contract', WAYBILL, 'sources', 'list'],
])('a command line %s loads neither the router nor what other commands need', (_which, ...commandLine) => {
  expect(loadedBy(...commandLine)).toEqual([]);
});

test.each([
  ['the engine of PostgreSQL', new URL('storage/postgres/open-migrated.ts', SERVER).href],
  ['fetch of Node', 'node:http'],
  ['the router', new URL('app.ts', SERVER).href],
  ['another command', new URL('../cli/compare/command.ts', SERVER).href],
])('%s is found where it is loaded', (what, module) => {
  expect(loadedBy('--input-type=module', '--eval', `import ${JSON.stringify(module)}`)).toContain(what);
});
