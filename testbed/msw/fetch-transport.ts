import { failureOf } from '../../server/delivery/failure.ts';
import type { PostRequest, PostResult, Transport } from '../../server/ports/transport.ts';

const BODY_CAP = 16 * 1024;
const EXCERPT = 1024;

/**
 * A Transport over global fetch, so that MSW sees the engine's requests. What fetch hides stays hidden: it does not tell
 * whether a request that ran out of time was still being written, or whether a failure was a reset.
 */
export function createFetchTransport(): Transport {
  return { post, close: () => Promise.resolve() };
}

async function post({ url, headers, body, deadlineMs }: PostRequest, signal: AbortSignal): Promise<PostResult> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  const over = AbortSignal.any([deadline.signal, signal]);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: over,
    });
    return answered(response, await excerptOf(response, over));
  } catch (error) {
    if (signal.aborted) return failed('cancelled', 'the router is stopping');
    if (deadline.signal.aborted) return failed('first_byte_timeout', `no answer within ${deadlineMs / 1000} s`);
    return { kind: 'failed', ...failureOf(error instanceof Error ? error : new Error(String(error))) };
  } finally {
    clearTimeout(timer);
  }
}

function failed(failure: 'cancelled' | 'first_byte_timeout', detail: string): PostResult {
  return { kind: 'failed', failure, detail };
}

function answered({ status, headers }: Response, excerpt: string): PostResult {
  const retryAfter = headers.get('retry-after');
  return { kind: 'answered', status, excerpt, ...(retryAfter === null ? {} : { retryAfter }) };
}

/** The status has decided (D-24): however the body ends, what came of it is kept. */
async function excerptOf({ body }: Response, over: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      read += chunk.length;
      if (read >= BODY_CAP || over.aborted) break;
    }
  } catch {
    // It broke off, or the deadline struck.
  }
  return Buffer.concat(chunks).subarray(0, EXCERPT).toString('utf8');
}
