import { isFields } from './calls.ts';
import type { FetchResponse } from './fetch.ts';

/** How much of an answer's body is kept for an error. */
const EXCERPT_LENGTH = 200;

/** How much of it is read: an answer may have no end. What ends within it leaves its connection to the next request. */
const READ_BYTES = 4_096;

/** The first characters of an answer. */
export async function excerptOf(response: FetchResponse): Promise<string> {
  const { body } = response;
  const text = await (isStream(body) ? new Response(body.pipeThrough(beginning())) : response).text();
  return text.slice(0, EXCERPT_LENGTH);
}

/** Not every `fetch` has streams, or those of the web. */
function isStream(body: unknown): body is ReadableStream<Uint8Array<ArrayBuffer>> {
  return isFields(body) && 'getReader' in body;
}

function beginning(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = READ_BYTES;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      left -= chunk.length;
      if (left < 0) controller.terminate();
    },
  });
}
