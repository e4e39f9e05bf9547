import { readdir, readFile } from 'node:fs/promises';
import { extname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Middleware } from 'koa';
import {
  type Caching,
  createStaticFile,
  createStaticFiles,
  isBrowserAtRoot,
  sendStaticFile,
  type StaticFile,
} from './static-file.ts';

const FOLDER = new URL('../../console/dist/', import.meta.url);

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

/** One build of the console: what it consists of, and how a file of it is got. */
interface Build {
  readonly files: ReadonlySet<string>;
  readonly file: (path: string) => Promise<StaticFile>;
}

/** `/console`: the built console. Its own addresses all lead to its one page; `/` leads a browser there. */
export function createConsole(folder = FOLDER): Middleware {
  let build: Promise<Build> | undefined;
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (isBrowserAtRoot(ctx)) return ctx.redirect('/console/');
    if (ctx.path !== '/console' && !ctx.path.startsWith('/console/')) return next();
    ctx.set(HEADERS);
    build ??= readBuild(folder);
    const { files, file } = await build;
    const path = pathIn(files, ctx.path);
    const found = path === undefined ? undefined : await file(path).catch(() => undefined);
    if (found !== undefined) return sendStaticFile(ctx, found, cachingOf(ctx.path));
    // It may have been built, or built anew, since the router started.
    build = undefined;
    refuse(ctx, files.has(PAGE));
  };
}

/** Only what is in the list can be reached. */
function pathIn(files: ReadonlySet<string>, path: string): string | undefined {
  const wanted = path.slice('/console/'.length);
  if (files.has(wanted)) return wanted;
  return path.startsWith(ASSETS) || !files.has(PAGE) ? undefined : PAGE;
}

function cachingOf(path: string): Caching {
  return path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function refuse(ctx: Context, isBuilt: boolean): void {
  ctx.status = isBuilt ? 404 : 503;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = isBuilt ? NO_FILE : NOT_BUILT;
}

async function readBuild(folder: URL): Promise<Build> {
  const file = createStaticFiles(async (path) =>
    createStaticFile(TYPES[extname(path)] ?? 'application/octet-stream', await readFile(new URL(path, folder))),
  );
  return { files: await filesIn(folder), file };
}

/** Empty where nothing is built. */
async function filesIn(folder: URL): Promise<ReadonlySet<string>> {
  try {
    const entries = await readdir(fileURLToPath(folder), { recursive: true });
    return new Set(entries.map((entry) => entry.replaceAll(sep, '/')).filter((entry) => extname(entry) in TYPES));
  } catch {
    return new Set();
  }
}
