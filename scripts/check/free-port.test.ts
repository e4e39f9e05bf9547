import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { freePort } from './free-port.ts';

/** A function that closes what listened on port 0, and gives the port away. */
const GIVES_AWAY = /function \w*[pP]ort\b[^}]*listen\(0[^}]*\.close\(/;

test('a free port is none that the system gives to somebody else', async () => {
  const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
  const port = await freePort();
  expect(range.length).toBe(2);
  expect(port < (range[0] ?? 0) || port > (range[1] ?? 65_535)).toBe(true);
});

test('no test gives a program a port of the system, which may be taken before the program listens', () => {
  const files = globSync('{cli,client,console,scripts,server,testbed}/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'scripts/check/free-port.test.ts'],
  });
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((file) => GIVES_AWAY.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test('a function that gives one away is found', () => {
  const text = `async function anyPort() {
    const server = createServer().listen(0);
    server.close();
    return server.address().port;`;
  expect(text).toMatch(GIVES_AWAY);
});
