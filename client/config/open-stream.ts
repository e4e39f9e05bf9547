import type { Call } from './call.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import type { FailedRequest } from './config-api-error.ts';
import type { ConfigClientSettings } from './options.ts';
import { describe, type Outcome, parseOrKeep, unansweredBy } from './requester.ts';
import { resultOf } from './result.ts';
import { errorOf } from './send.ts';

/** A successful answer whose body comes in pieces. */
export interface OpenedStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly request: FailedRequest;
  readonly status: number;
  /** Does a part of the work in so much time, or throws. */
  readonly within: <R>(ms: number, work: Parameters<typeof withDeadline<R>>[0]) => Promise<R>;
  /** What is thrown of an outcome that is no success. */
  readonly failed: (outcome: Outcome) => Error;
}

type StreamCall = Omit<Call<unknown>, 'read'>;

/** Asks once, and passes the answer as soon as it begins. */
export async function openStream(
  { clock, timeoutMs, token, baseUrl, fetch }: ConfigClientSettings,
  call: StreamCall,
  accept: string,
): Promise<OpenedStream> {
  const { signal } = call;
  const asked = { ...call, read: () => ({ problem: 'it is no stream' }) };
  const request = describe(asked, baseUrl);
  const failed = (outcome: Outcome): Error => {
    const result = resultOf(asked, outcome);
    if ('value' in result) throw new Error('an answer that was read is no failure');
    return errorOf(result, { outcome, attempts: 1, retryAfterMs: undefined }, token);
  };
  const within: OpenedStream['within'] = (ms, work) => {
    const deadline: Deadline = { clock, timeoutMs: ms, signal };
    return withDeadline(work, deadline).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw failed(unansweredBy(cause, request));
    });
  };
  const headers = { Authorization: `Bearer ${token}`, Accept: accept };
  const response = await within(timeoutMs, (opening) =>
    fetch(new Request(request.url, { headers, redirect: 'manual', signal: opening })),
  );
  const { body, status, ok } = response;
  if (ok && body !== null) return { body, request, status, within, failed };
  const text = await within(timeoutMs, () => response.text());
  throw failed({ kind: 'answered', request, status, ok: false, retryAfter: null, tag: null, body: parseOrKeep(text) });
}
