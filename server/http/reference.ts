import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';

const FOLDER = new URL('../../generated/docs/', import.meta.url);

/** What is served, by the path below `/docs`: file and media type. Nothing else of the folder is reachable. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/config-api': ['config-api.html', 'text/html; charset=utf-8'],
  '/ingestion-api': ['ingestion-api.html', 'text/html; charset=utf-8'],
  '/redoc.standalone.js': ['redoc.standalone.js', 'text/javascript; charset=utf-8'],
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
<li><a href="/docs/config-api">Config API</a>: what routes events, and what webhooks receive</li>
<li><a href="/docs/ingestion-api">Ingestion API</a>: how events come in</li>
</ul>
</html>
`;

/** `/docs`: the reference that is made from the documents, whole and offline. */
export function createReference(): Middleware {
  return async (ctx, next) => {
    const [, below] = /^\/docs(\/.*)?$/.exec(ctx.path) ?? [undefined, undefined];
    const isIndex = ctx.path === '/docs' || ctx.path === '/docs/';
    const file = below === undefined || !Object.hasOwn(FILES, below) ? undefined : FILES[below];
    if ((!isIndex && file === undefined) || !['GET', 'HEAD'].includes(ctx.method)) return next();
    ctx.set({ 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' });
    const [name, type] = file ?? [undefined, 'text/html; charset=utf-8'];
    ctx.body = name === undefined ? INDEX : await readFile(new URL(name, FOLDER));
    ctx.type = type;
  };
}
