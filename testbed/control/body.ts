import type { IncomingMessage } from 'node:http';
import { ControlError } from './control-error.ts';

const MAX_BYTES = 1_048_576;

/** A body as JSON; undefined when there is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    // What is too much is read all the same, and dropped: hanging up over it would lose the answer.
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BYTES) throw new ControlError(413, `The body is longer than ${MAX_BYTES} bytes`);
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ControlError(400, `The body is no JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}
