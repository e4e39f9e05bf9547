import type { IncomingMessage } from 'node:http';
import { ApiError, type FailureName } from './errors.ts';
import { inflate, isGzip } from './inflate.ts';

export interface BodyLimit {
  /** Of the body, inflated. */
  readonly bytes: number;
  /** Which failure an oversize body is: the Config API has no 413 (S 7.1), ingestion has (D-41). */
  readonly failure: FailureName;
}

/** Counts the bytes that are kept; throws to refuse them. */
type Hold = (bytes: number) => void;

/** What gzip adds at most to a body of the limit that does not compress; below it, more bytes than the limit are read. */
const GZIP_OVERHEAD = 4_096;

/** Reads a request's body whole and inflates it, whatever its content type, up to the limit. */
export async function readBody(request: IncomingMessage, limit: BodyLimit, hold: Hold): Promise<Buffer> {
  try {
    if (!isGzip(request.headers['content-encoding'])) return await collect(request, limit.bytes, limit, hold);
    const body = await collect(request, limit.bytes + GZIP_OVERHEAD, limit, hold);
    // As much as it may become is counted before it does.
    hold(limit.bytes);
    const inflated = await inflate(body, limit.bytes);
    if (inflated === undefined) throw tooLarge(limit);
    hold(inflated.length - limit.bytes - body.length);
    return inflated;
  } catch (error) {
    // What is left of the body is read and dropped, so that the sender gets to see the answer.
    request.resume();
    throw error;
  }
}

/** Past the most nothing more is kept. */
async function collect(request: IncomingMessage, most: number, limit: BodyLimit, hold: Hold): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    if (Number(request.headers['content-length']) > most) throw tooLarge(limit);
    // A request without an encoding yields buffers.
    const stream: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const bytes of stream) {
      size += bytes.length;
      if (size > most) throw tooLarge(limit);
      hold(bytes.length);
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('InvalidArgument', 'the request ended before its body was complete', { cause: error });
  }
  return Buffer.concat(chunks, size);
}

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
