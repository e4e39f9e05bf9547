import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { headersFor, reasonOf, targetOf } from '../receiver/forward-target.ts';
import type { Recorded } from './recording.ts';

export interface Replayed {
  readonly recorded: Recorded;
  /** The status, or how the request failed. */
  readonly answer: number | string;
  readonly ms: number;
}

/**
 * Sends a recorded request again: the same bytes and headers, to the path of the URL, or to the path that was asked
 * when the URL has none. The deadline is for all of it.
 */
export async function replay(recorded: Recorded, url: string, deadlineMs = 5_000): Promise<Replayed> {
  const startedAt = performance.now();
  const answer = await send(recorded, url, deadlineMs).catch(reasonOf);
  return { recorded, answer, ms: Math.round(performance.now() - startedAt) };
}

async function send({ method, path, headers, body }: Recorded, url: string, deadlineMs: number): Promise<number> {
  const target = targetOf(url, path);
  const open = target.origin.protocol === 'https:' ? requestHttps : requestHttp;
  const options = { method, path: target.path, headers: headersFor(target, headers, body), agent: false };
  return new Promise((resolve, reject) => {
    const outgoing = open(target.origin, options);
    const late = () => outgoing.destroy(new Error(`no answer within ${deadlineMs / 1_000} s`));
    const timer = setTimeout(late, deadlineMs);
    outgoing.on('error', reject).once('close', () => clearTimeout(timer));
    // The status is the answer; what follows is read, so that the connection can end.
    outgoing.once('response', (response) => {
      resolve(response.resume().on('error', () => undefined).statusCode ?? 0);
    });
    outgoing.end(body);
  });
}
