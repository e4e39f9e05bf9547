import Koa from 'koa';
import { expect, test } from 'vitest';
import { curlOf, exampleRequest } from '../../../scripts/generate/example-request.ts';
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
