import type { Context, Middleware } from 'koa';
import type { Clock } from '../ports/clock.ts';
import { isBrowserAtRoot, sendStaticFile } from './static-file.ts';
import { createStaticFolder } from './static-folder.ts';

/** Where the build puts it; tests of all routes find its paths here. */
export const CONSOLE_FOLDER = new URL('../../console/dist/', import.meta.url);

/** Below `/console/`: what the build made, with names that change with the content. */
const ASSETS = '/console/assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Nothing from elsewhere, nothing written into the page, and no page around it. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

const PAGE = 'index.html';

const NO_FILE = 'There is no such file in this version of the console; reload the page.\n';

const NOT_BUILT =
  'The console is not built. Run `npm run build console` in the folder of the router, and reload this page.\n';

/**
 * `/console`: the built console. Its own addresses all lead to its one page; `/` leads a browser there. It may be built, or
 * built anew, while the router runs.
 */
export function createConsole(clock: Pick<Clock, 'steady'>, folder = CONSOLE_FOLDER): Middleware {
  const look = createStaticFolder({ folder, types: TYPES, clock });
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (isBrowserAtRoot(ctx)) return ctx.redirect('/console/');
    if (ctx.path !== '/console' && !ctx.path.startsWith('/console/')) return next();
    ctx.set(HEADERS);
    const files = await look();
    const wanted = files.get(ctx.path.slice('/console/'.length)) ?? (isAsset(ctx.path) ? undefined : files.get(PAGE));
    // Since the folder was looked at it may have been removed.
    const found = await wanted?.().catch(() => undefined);
    if (found === undefined) refuse(ctx, files.has(PAGE));
    else sendStaticFile(ctx, found, isAsset(ctx.path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  };
}

function isAsset(path: string): boolean {
  return path.startsWith(ASSETS);
}

function refuse(ctx: Context, isBuilt: boolean): void {
  ctx.status = isBuilt ? 404 : 503;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = isBuilt ? NO_FILE : NOT_BUILT;
}
