import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Stay } from './admission.ts';
import { endConnection, TOO_MANY_PIECES } from './client-error.ts';
import { ApiError, type FailureName } from './errors.ts';

export interface BodyLimit {
  /** Of the body, inflated. */
  readonly bytes: number;
  /** Of JSON; any number when not given. */
  readonly values?: number;
  /** Which failure an oversize body is: the Config API has no 413 (S 7.1), ingestion has (D-41). */
  readonly failure: FailureName;
}

const inflateGzip = promisify(gunzip);

/** What counts the bytes of a body. */
type Counting = Pick<Stay, 'read' | 'receive' | 'hold'>;

/** What gzip adds at most to a body of the limit that does not compress; below it, more bytes than the limit are read. */
const GZIP_OVERHEAD = 4_096;

/** Each piece takes a moment, however small it is: the largest body may come in pieces of 200 bytes. */
const MAX_PIECES = 2_500;

/** Reads a request's body whole and inflates it, whatever its content type, up to the limit. */
export async function readBody(request: IncomingMessage, limit: BodyLimit, stay?: Counting): Promise<Buffer> {
  try {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || !isGzip(encoding)) return await collect(request, limit.bytes, limit, stay);
    const body = await collect(request, limit.bytes + GZIP_OVERHEAD, limit, stay);
    // As much as it may become is counted before it does.
    stay?.hold(limit.bytes);
    const inflated = await inflate(body, limit.bytes);
    if (inflated === undefined) throw tooLarge(limit);
    stay?.hold(inflated.length - limit.bytes - body.length);
    return inflated;
  } catch (error) {
    // What is left of the body is read and dropped, so that the sender gets to see the answer.
    if (error instanceof ApiError && error.endsConnection) request.socket.pause();
    else request.resume();
    throw error;
  }
}

/** Past the maximum nothing more is kept. */
function collect(request: IncomingMessage, maximum: number, limit: BodyLimit, stay?: Counting): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? maximum);
  if (announced > maximum) return Promise.reject(tooLarge(limit));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let body: Buffer = NOTHING;
  let [length, pieces, isOver] = [0, 0, false];
  const fail = (error: unknown): void => {
    isOver = true;
    reject(error);
  };
  // It goes on listening: a stream that nobody listens to would collect what still comes.
  request.on('data', (piece: Buffer) => {
    if (isOver) return;
    try {
      if (length + piece.length > maximum) throw tooLarge(limit);
      pieces += 1;
      // At once: the rest of what was read with it costs as much again.
      if (pieces > MAX_PIECES) endConnection(request, TOO_MANY_PIECES);
      stay?.receive(piece.length);
      // Most bodies come in one piece, which is kept as it is.
      body = length === 0 ? piece : appended(body, length, piece, announced);
      length += piece.length;
    } catch (error) {
      fail(error);
    }
  });
  const failEarly = (cause?: unknown): void =>
    fail(new ApiError('InvalidArgument', 'the request ended before its body was complete', { cause }));
  request.once('end', () => {
    request.off('close', failEarly);
    resolve(body.subarray(0, length));
  });
  stay?.read(fail);
  // A connection may have ended before anybody listened.
  if (request.destroyed) failEarly();
  request.once('error', failEarly).once('close', failEarly);
  return promise;
}

const NOTHING = Buffer.alloc(0);

/** A body in one piece, which may have room behind its length: the memory of many small ones would be many times their length. */
function appended(body: Buffer, length: number, piece: Buffer, maximum: number): Buffer {
  const [least, room] = [length + piece.length, body.length];
  const whole = least <= room ? body : Buffer.allocUnsafeSlow(Math.max(least, Math.min(maximum, 2 * least)));
  if (whole !== body) body.copy(whole, 0, 0, length);
  piece.copy(whole, length);
  return whole;
}

function tooLarge(limit: BodyLimit): ApiError {
  return new ApiError(limit.failure, `the body is larger than ${limit.bytes} bytes`);
}

/** Whether a `Content-Encoding` says gzip; throws InvalidArgument for one that is not read. */
function isGzip(encoding: string): boolean {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return false;
  if (name === 'gzip' || name === 'x-gzip') return true;
  const shown = JSON.stringify(encoding.slice(0, 80));
  throw new ApiError('InvalidArgument', `unsupported Content-Encoding ${shown}; use gzip or omit the header`);
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
