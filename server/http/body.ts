import type { IncomingMessage } from 'node:http';
import { ApiError, type FailureName } from './errors.ts';

export interface BodyLimit {
  readonly bytes: number;
  /** Which failure an oversize body is: the Config API has no 413 (S 7.1), ingestion has (D-41). */
  readonly failure: FailureName;
}

/** Reads a request's body whole, whatever its content type, up to the limit; past it nothing more is kept. */
export async function readBody(request: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // A request without an encoding yields buffers.
    const stream: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const bytes of stream) {
      size += bytes.length;
      if (size > limit.bytes) throw tooLarge(request, limit);
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

function tooLarge(request: IncomingMessage, limit: BodyLimit): ApiError {
  // What is left of the body is read and dropped, so that the sender gets to see the answer.
  request.resume();
  return new ApiError(limit.failure, `the body is larger than ${limit.bytes} bytes`);
}
