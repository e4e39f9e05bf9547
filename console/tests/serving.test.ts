import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { createConsole } from '../../server/http/console.ts';
import { serve } from '../../server/tests/support/served.ts';
import { VirtualClock } from '../../testbed/simulation/virtual-clock.ts';
import { startRouter } from './support/router.ts';

const PERSON = { accept: 'text/html,application/xhtml+xml' };

test('`/` leads a browser to the console, and nobody else', async () => {
  const { url } = await startRouter();
  const led = await fetch(`${url}/`, { headers: PERSON, redirect: 'manual' });
  expect([led.status, led.headers.get('location')]).toEqual([302, '/console/']);
  expect((await fetch(`${url}/`)).status).toBe(503);
});

test.each(['/console', '/console/', '/console/workspaces/main/sources/shop', '/console/index.html'])(
  '%s is the one page, with nothing of it from elsewhere and no page around it',
  async (path) => {
    const { url } = await startRouter();
    const answer = await fetch(url + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split('; ')).toContain(rule);
    expect(policy).not.toMatch(/unsafe|data:|https?:/);
    expect(await answer.text()).not.toMatch(/<script>|<style|style=|https?:\/\//);
  },
);

test('files of the build are kept by browsers for ever, and others are 404', async () => {
  const { url } = await startRouter();
  const page = await (await fetch(`${url}/console/`)).text();
  const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
  const answer = await fetch(url + script);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(answer.headers.get('content-type')).toContain('text/javascript');
  for (const path of ['/console/assets/x.js', '/console/assets/..%2f..%2fpackage.json', '/console/assets/'])
    expect((await fetch(url + path)).status).toBe(404);
});

test('switched off there is no console', async () => {
  const { url } = await startRouter('--no-console');
  expect((await fetch(`${url}/console/`)).status).toBe(503);
  const led = await fetch(`${url}/`, { headers: PERSON, redirect: 'manual' });
  expect(led.headers.get('location')).toBe('/docs');
});

test('a console that is not built says how to build it, and is served once it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-no-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clock = new VirtualClock();
  const url = await serve(new Koa().use(createConsole(clock, pathToFileURL(`${folder}/`))));
  const answer = await fetch(`${url}/console/`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('npm run build console');
  for (const build of ['one', 'two']) {
    writeFileSync(join(folder, 'index.html'), build);
    await clock.advance(1_000);
    expect(await (await fetch(`${url}/console/sources`)).text()).toBe(build);
  }
});
