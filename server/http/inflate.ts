import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError } from './errors.ts';

const inflateGzip = promisify(gunzip);

/** Whether a `Content-Encoding` says gzip; throws InvalidArgument for one that is not read. */
export function isGzip(encoding: string | undefined): boolean {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return false;
  if (name === 'gzip' || name === 'x-gzip') return true;
  const shown = JSON.stringify(encoding?.slice(0, 80));
  throw new ApiError('InvalidArgument', `the Content-Encoding ${shown} is not read: send gzip, or none`);
}

/**
 * The inflated body, or undefined when it is larger than `limit` bytes: inflating stops there, however much a small body
 * would unfold to. Throws InvalidArgument when it is no gzip, or ends early.
 */
export async function inflate(body: Buffer, limit: number): Promise<Buffer | undefined> {
  // Nothing sent is nothing inflated; zlib would call it an end too early.
  if (body.length === 0) return body;
  try {
    return await inflateGzip(body, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError && Reflect.get(error, 'code') === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new ApiError('InvalidArgument', 'the body is not valid gzip, although Content-Encoding says so', {
      cause: error,
    });
  }
}
