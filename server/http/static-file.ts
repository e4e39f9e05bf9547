import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

/** A file as it is sent: in memory once, compressed ahead, shared by all answers. */
export interface StaticFile {
  readonly type: string;
  /** In the order in which they are preferred. */
  readonly variants: readonly Variant[];
}

interface Variant {
  readonly encoding: 'br' | 'gzip' | 'identity';
  /** Strong, so each encoding has its own. */
  readonly tag: string;
  readonly bytes: Buffer;
}

/** Higher levels save a few percent and take seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export async function createStaticFile(type: string, bytes: Buffer): Promise<StaticFile> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(bytes, BROTLI), promisify(gzip)(bytes)]);
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const variant = (encoding: Variant['encoding'], sent: Buffer): Variant => ({
    encoding,
    tag: `"${digest}-${encoding}"`,
    bytes: sent,
  });
  return { type, variants: [variant('br', br), variant('gzip', gzipped), variant('identity', bytes)] };
}

/** A browser keeps a file and asks whether it is still the same; or never asks, where its name changes with its content. */
export type Caching = 'no-cache' | 'public, max-age=31536000, immutable';

/** Answers GET and HEAD with the file, or with 304 where the client has it. */
export function sendStaticFile(ctx: Context, { type, variants }: StaticFile, caching: Caching = 'no-cache'): void {
  const wanted = ctx.acceptsEncodings(...variants.map(({ encoding }) => encoding));
  const variant = variants.find(({ encoding }) => encoding === wanted) ?? variants.at(-1);
  if (variant === undefined) throw new Error('a static file has no variant');
  ctx.vary('Accept-Encoding');
  ctx.set({ ETag: variant.tag, 'Cache-Control': caching, 'X-Content-Type-Options': 'nosniff' });
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else {
    ctx.body = variant.bytes;
    ctx.type = type;
    if (variant.encoding !== 'identity') ctx.set('Content-Encoding', variant.encoding);
  }
}

/** At the first request; those who ask meanwhile wait for the same. A failure is tried again. */
export function readOnce(read: () => Promise<StaticFile>): () => Promise<StaticFile> {
  let file: Promise<StaticFile> | undefined;
  return () => {
    if (file !== undefined) return file;
    file = read();
    file.catch(() => (file = undefined));
    return file;
  };
}

/** Sends a person who opens `/` to where there is something to see. Programs that take anything do not name HTML. */
export function isBrowserAtRoot(ctx: Context): boolean {
  if (ctx.path !== '/') return false;
  ctx.vary('Accept');
  return ctx.get('accept').includes('text/html');
}
