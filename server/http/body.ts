import type { IncomingMessage } from 'node:http';
import type { Stay } from './admission.ts';
import { endConnection, TOO_MANY_PIECES } from './client-error.ts';
import { ApiError, type FailureName } from './errors.ts';
import { inflate, isGzip } from './inflate.ts';

export interface BodyLimit {
  /** Of the body, inflated. */
  readonly bytes: number;
  /** Which failure an oversize body is: the Config API has no 413 (S 7.1), ingestion has (D-41). */
  readonly failure: FailureName;
}

/** What counts the bytes of a body. */
type Counting = Pick<Stay, 'read' | 'receive' | 'hold'>;

/** What gzip adds at most to a body of the limit that does not compress; below it, more bytes than the limit are read. */
const GZIP_OVERHEAD = 4_096;

/** Each piece takes a moment, however small it is: the largest body may come in pieces of 200 bytes. */
export const MAX_PIECES = 2_500;

/** Reads a request's body whole and inflates it, whatever its content type, up to the limit. */
export async function readBody(request: IncomingMessage, limit: BodyLimit, stay: Counting): Promise<Buffer> {
  try {
    if (!isGzip(request.headers['content-encoding'])) return await collect(request, limit.bytes, limit, stay);
    const body = await collect(request, limit.bytes + GZIP_OVERHEAD, limit, stay);
    // As much as it may become is counted before it does.
    stay.hold(limit.bytes);
    const inflated = await inflate(body, limit.bytes);
    if (inflated === undefined) throw tooLarge(limit);
    stay.hold(inflated.length - limit.bytes - body.length);
    return inflated;
  } catch (error) {
    // What is left of the body is read and dropped, so that the sender gets to see the answer.
    if (error instanceof ApiError && error.endsConnection) request.socket.pause();
    else request.resume();
    throw error;
  }
}

/** Past the most nothing more is kept. */
function collect(request: IncomingMessage, most: number, limit: BodyLimit, stay: Counting): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? most);
  if (announced > most) return Promise.reject(tooLarge(limit));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const collected = new CollectedBytes(announced);
  let [pieces, isOver] = [0, false];
  const fail = (error: unknown): void => {
    isOver = true;
    reject(error);
  };
  const take = (bytes: Buffer): void => {
    // It goes on listening: a stream that nobody listens to would collect what still comes.
    if (isOver) return;
    try {
      if (collected.length + bytes.length > most) throw tooLarge(limit);
      pieces += 1;
      // At once: the rest of what was read with it costs as much again.
      if (pieces > MAX_PIECES) endConnection(request, TOO_MANY_PIECES);
      stay.receive(bytes.length);
      collected.add(bytes);
    } catch (error) {
      fail(error);
    }
  };
  stay.read(fail);
  const failEarly = (cause?: unknown): void =>
    fail(new ApiError('InvalidArgument', 'the request ended before its body was complete', { cause }));
  // A connection may have ended before anybody listened.
  if (request.destroyed) failEarly();
  request.on('data', take).once('end', () => resolve(collected.bytes()));
  request.once('error', failEarly).once('close', failEarly);
  return promise;
}

/** A body in one piece: the memory of many small ones would be many times their length. */
class CollectedBytes {
  readonly #most: number;
  #buffer: Buffer = NOTHING;
  length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(bytes: Buffer): void {
    const length = this.length + bytes.length;
    // Most bodies come in one piece, which is kept as it is.
    if (this.length === 0) this.#buffer = bytes;
    else {
      if (length > this.#buffer.length) this.#grow(length);
      bytes.copy(this.#buffer, this.length);
    }
    this.length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  #grow(least: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(least, Math.min(this.#most, 2 * least)));
    this.#buffer.copy(grown, 0, 0, this.length);
    this.#buffer = grown;
  }
}

const NOTHING = Buffer.alloc(0);

/** Reads the text of a body as JSON; throws a SyntaxError when it is none. */
export type ParseText = (text: string) => unknown;

/** Parses JSON; an empty body reads as an empty object, so that the schema says what is missing. */
export function parseJson(body: Buffer, parse: ParseText = JSON.parse): unknown {
  if (body.length === 0) return {};
  try {
    return parse(body.toString('utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError('InvalidArgument', `the body is not valid JSON: ${reason.slice(0, 200)}`, { cause: error });
  }
}

/** Parses a form; of a field that is there twice the last one counts. */
export function parseForm(body: Buffer): unknown {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}

function tooLarge(limit: BodyLimit): ApiError {
  return new ApiError(limit.failure, `the body is larger than ${limit.bytes} bytes`);
}
