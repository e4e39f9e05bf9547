import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import { createStaticFile, isBrowserAtRoot, readOnce, sendStaticFile, type StaticFile } from './static-file.ts';

const FOLDER = new URL('../../generated/', import.meta.url);

const [HTML, SCRIPT, JSON_TYPE] = ['text/html; charset=utf-8', 'text/javascript; charset=utf-8', 'application/json'];

/** What is served, by the path below `/docs`: media type and file. Nothing else of the folder is reachable. */
const FILES: Readonly<Record<string, readonly [type: string, file: string]>> = {
  '/config-api': [HTML, 'docs/config-api.html'],
  '/ingestion-api': [HTML, 'docs/ingestion-api.html'],
  '/redoc.standalone.js': [SCRIPT, 'docs/redoc.standalone.js'],
  '/openapi/config-api.json': [JSON_TYPE, 'config-api.json'],
  '/openapi/ingestion-api.json': [JSON_TYPE, 'ingestion-api.json'],
  '/waybill.schema.json': [JSON_TYPE, 'waybill.schema.json'],
};

/** The pages bring everything along, and the browser is told to let them load nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const INDEX = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill: reference</title>
<style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>Waybill</h1>
<ul>
<li><a href="/docs/config-api">Config API</a>: what routes events, and what webhooks receive
(<a href="/docs/openapi/config-api.json">OpenAPI</a>)</li>
<li><a href="/docs/ingestion-api">Ingestion API</a>: how events come in
(<a href="/docs/openapi/ingestion-api.json">OpenAPI</a>)</li>
<li><a href="/docs/waybill.schema.json">waybill.yaml</a>: the JSON Schema of configuration as code</li>
</ul>
</html>
`;

/** Paths of the reference; tests of all routes find them here. */
export const REFERENCE_PATHS: readonly string[] = ['/docs', ...Object.keys(FILES).map((path) => `/docs${path}`)];

/** `/docs`: the reference that is made from the documents, whole and offline, and the documents; `/` leads a browser there. */
export function createReference(): Middleware {
  const files = new Map(REFERENCE_PATHS.map((path) => [path, readOnce(() => load(path.slice('/docs'.length)))]));
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (isBrowserAtRoot(ctx)) return ctx.redirect('/docs');
    const read = files.get(ctx.path === '/docs/' ? '/docs' : ctx.path);
    if (read === undefined) return next();
    ctx.set('Content-Security-Policy', POLICY);
    sendStaticFile(ctx, await read());
  };
}

async function load(path: string): Promise<StaticFile> {
  const [type, file] = FILES[path] ?? [HTML, undefined];
  return createStaticFile(type, file === undefined ? Buffer.from(INDEX) : await readFile(new URL(file, FOLDER)));
}
