import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname } from 'node:path';

/** Built from `console/receiver`, with parts of the console. */
const FOLDER = new URL('../../console/receiver/dist/', import.meta.url);

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
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const NOT_BUILT =
  'The page of the receiver is not built. Run `npm run build receiver` in the folder of Waybill, and reload this page. The control API works without it.\n';

/** `/` is the page, and what it consists of is below `/assets/`. */
export function isOfPage(method: string, pathname: string): boolean {
  return method === 'GET' && /^\/(?:$|icon\.svg$|assets\/[\w-][\w.-]*$)/.test(pathname);
}

export async function sendPage(pathname: string, response: ServerResponse, folder = FOLDER): Promise<void> {
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  try {
    const bytes = await readFile(new URL(name, folder));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    response.writeHead(200, { ...HEADERS, 'Content-Type': type }).end(bytes);
  } catch {
    const [status, text] =
      pathname === '/' ? [503, NOT_BUILT] : [404, 'There is no such file of the page; reload it.\n'];
    response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
  }
}
