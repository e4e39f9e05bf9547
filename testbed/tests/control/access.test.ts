import { request as requestHttp } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isOfPage, sendPage } from '../../control/page.ts';
import { createReceiver } from '../../index.ts';
import { type Control, openControl } from '../../receiver/index.ts';
import { serve } from '../support/served.ts';

type Headers = Readonly<Record<string, string>>;

function tokenOf({ page }: Control): string {
  return page.split('#token=')[1] ?? '';
}

async function ask(url: string, method: string, headers: Headers): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = requestHttp(url, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asking.on('error', reject).end();
  });
}

/** What a browser sends for a page at this address, and for others. */
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };
const OTHER_PORT = { 'Sec-Fetch-Site': 'same-site', Origin: 'http://127.0.0.1:1' };
const OTHER_SITE = { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://page.test' };

test.each([
  ['a program', {}, 'none', 200],
  ['its own page', OWN_PAGE, 'right', 200],
  ['its own page, without the token', OWN_PAGE, 'none', 403],
  ['its own page, with the token of another start', OWN_PAGE, 'wrong', 403],
  ['a page on another port', OTHER_PORT, 'right', 403],
  ['a page of another site', OTHER_SITE, 'right', 403],
  ['an old browser, from another site', { Origin: 'http://page.test' }, 'right', 403],
  ['a sandboxed page', { Origin: 'null' }, 'right', 403],
  ['a name that was pointed here', { Host: 'rebound.test', ...OWN_PAGE }, 'right', 403],
] as const)('what %s asks is answered as it may', async (_who, headers, token, status) => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const tokens = { none: undefined, wrong: 'x'.repeat(24), right: tokenOf(control) };
  const authorization: Headers = token === 'none' ? {} : { Authorization: `Bearer ${tokens[token]}` };
  for (const [method, path] of [
    ['GET', '/v1/requests'],
    ['POST', '/v1/reset'],
  ] as const)
    expect((await ask(control.url + path, method, { ...headers, ...authorization })).status).toBe(status);
});

test('the origin of its own page is the host that was asked, and no other', async () => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const own = { Authorization: `Bearer ${tokenOf(control)}`, Host: new URL(control.url).host };
  const reset = async (origin: string) =>
    (await ask(`${control.url}/v1/reset`, 'POST', { ...own, Origin: origin })).status;
  expect(await reset(control.url)).toBe(200);
  expect(await reset(control.url.replace('127.0.0.1', 'localhost'))).toBe(403);
});

test('a program needs the token to replay, and for everything where nobody asked for an API', async () => {
  await using receiver = await createReceiver();
  await using open = await openControl(receiver);
  await using closed = await openControl(receiver, { needsToken: true });
  expect((await ask(`${open.url}/v1/requests/1/replay`, 'POST', {})).status).toBe(403);
  const withToken = { Authorization: `Bearer ${tokenOf(open)}` };
  expect((await ask(`${open.url}/v1/requests/1/replay`, 'POST', withToken)).status).toBe(404);
  expect((await ask(`${closed.url}/v1/receiver`, 'GET', {})).status).toBe(403);
  expect((await ask(`${closed.url}/v1/receiver`, 'GET', withToken)).status).toBe(403);
  expect((await ask(`${closed.url}/v1/receiver`, 'GET', { Authorization: `Bearer ${tokenOf(closed)}` })).status).toBe(
    200,
  );
});

test('the page comes from here alone, and holds no token', async () => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const answer = await fetch(control.url);
  const policy = answer.headers.get('content-security-policy') ?? '';
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    expect(policy.split('; ')).toContain(rule);
  expect(policy).not.toMatch(/unsafe|data:|blob:|https?:/);
  const page = await answer.text();
  expect(page).not.toMatch(/<script>|<style|style=|https?:\/\//);
  expect(page).not.toContain(tokenOf(control));
  expect((await ask(control.url, 'GET', { Host: 'rebound.test' })).status).toBe(403);
});

test.each([
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/assets/..',
  '/assets/',
  '/index.html',
  '/assets/a/b.js',
])('%s is no file of the page', (path) => {
  expect(isOfPage('GET', path)).toBe(false);
});

test('a page that is not built says how to build it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-no-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await using served = await serve((request, response) => {
    void sendPage(request.url ?? '', response, pathToFileURL(`${folder}/`));
  });
  const answer = await fetch(served.url);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build receiver')]);
  expect((await fetch(`${served.url}/assets/index.js`)).status).toBe(404);
});

test('an address that cannot be read is answered 400, and the receiver goes on', async () => {
  await using receiver = await createReceiver();
  await using control = await openControl(receiver);
  const { port } = new URL(control.url);
  const status = await new Promise((resolve, reject) => {
    const asking = requestHttp({ host: '127.0.0.1', port, path: '//[::1/v1/requests', agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    asking.on('error', reject).end();
  });
  expect(status).toBe(400);
  expect((await fetch(`${control.url}/v1/requests`)).status).toBe(200);
});
