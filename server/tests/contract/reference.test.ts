import Koa from 'koa';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { curlOf, exampleRequest } from '../../../scripts/generate/example-request.ts';
import { loadDocument } from '../../http/document.ts';
import { createReference } from '../../http/reference.ts';
import { serve } from '../support/served.ts';
import { loadContract } from './contract-document.ts';

/** The reference alone; what it passes on is a 503, as the router has it. */
function startReference(): Promise<string> {
  const app = new Koa().use(createReference()).use((ctx) => {
    ctx.status = 503;
  });
  return serve(app);
}

test.each([
  ['/docs', 'text/html', 'href="/docs/config-api"'],
  ['/docs/', 'text/html', 'href="/docs/ingestion-api"'],
  ['/docs/config-api', 'text/html', 'Waybill Config API'],
  ['/docs/ingestion-api', 'text/html', 'Waybill'],
  ['/docs/redoc.standalone.js', 'text/javascript', 'hydrate'],
])('the reference serves %s', async (path, type, text) => {
  const response = await fetch((await startReference()) + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain(type);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await response.text()).toContain(text);
});

test.each([
  ['br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['', null],
  ['gzip;q=0, *;q=0', null],
])('the reference sends %j what it reads, with a tag of its own', async (accepted, encoding) => {
  const url = `${await startReference()}/docs/openapi/config-api.json`;
  const headers = { 'accept-encoding': accepted };
  const [first, head] = [await fetch(url, { headers }), await fetch(url, { headers, method: 'HEAD' })];
  expect(await first.json()).toEqual(loadDocument('config-api'));
  const [tag = ''] = [first.headers.get('etag') ?? undefined];
  expect(tag).toMatch(/^"[\w-]{22}-(br|gzip|identity)"$/);
  expect(tag).toContain(encoding ?? 'identity');
  for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'vary', 'content-encoding']) {
    expect(head.headers.get(name), name).toBe(first.headers.get(name));
  }
  expect([first.headers.get('vary'), first.headers.get('cache-control')]).toEqual(['Accept-Encoding', 'no-cache']);
  // fetch asks for a fresh one whenever it names a tag.
  const known = await request(url, { headers: { ...headers, 'if-none-match': tag } });
  expect([known.statusCode, known.headers['etag'], await known.body.text()]).toEqual([304, tag, '']);
  const stale = await fetch(url, { headers: { ...headers, 'if-none-match': '"older"' } });
  expect([stale.status, await stale.json()]).toEqual([200, loadDocument('config-api')]);
});

test('the documents are served as they are', async () => {
  for (const name of ['config-api', 'ingestion-api'] as const) {
    const answer = await fetch(`${await startReference()}/docs/openapi/${name}.json`);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toEqual(loadDocument(name));
  }
});

test.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', 302, '/docs'],
  ['*/*', 503, null],
  ['application/json', 503, null],
])('CFG-21: / answers one that accepts %s with %i', async (accept, status, location) => {
  const url = await startReference();
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(`${url}/`, { method, headers: { accept }, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location]);
  }
});

test.each([
  ['GET', '/docs/../openapi.yaml'],
  ['GET', '/docs/%2e%2e/config-api.json'],
  ['GET', '/docs/constructor'],
  ['GET', '/docsx'],
  ['POST', '/docs'],
])('the reference passes on %s %s', async (method, path) => {
  const response = await fetch((await startReference()) + path, { method });
  expect(response.status).toBe(503);
});

test.each(['config-api', 'ingestion-api'])('the page of %s loads nothing but the code beside it', async (name) => {
  const page = await (await fetch(`${await startReference()}/docs/${name}`)).text();
  const loaded = [...page.matchAll(/(?:<link[^>]+href=|<script[^>]+src=|from )"([^"]+)"/g)].map((match) => match[1]);
  expect(new Set(loaded)).toEqual(new Set(['./redoc.standalone.js']));
  expect(page).not.toContain('cdn.redocly.com');
});

test('the page shows the example request of every operation', async () => {
  const page = await (await fetch(`${await startReference()}/docs/config-api`)).text();
  const missing = loadContract()
    .operations.filter(({ isOpen }) => !isOpen)
    .filter((operation) => !page.includes(JSON.stringify(curlOf(exampleRequest(operation), 'http://127.0.0.1:8080'))));
  expect(missing.map(({ id }) => id)).toEqual([]);
});
