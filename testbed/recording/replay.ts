import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Recorded } from './recording.ts';

const MADE_ANEW = new Set(['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

export interface Replayed {
  readonly recorded: Recorded;
  /** The status, or how the request failed. */
  readonly answer: number | string;
  readonly ms: number;
}

/** Sends a recorded request again: the same bytes and headers, to the path that was asked, at another place. */
export async function replay(recorded: Recorded, url: string, deadlineMs = 5_000): Promise<Replayed> {
  const target = new URL(recorded.path, url);
  const open = target.protocol === 'https:' ? requestHttps : requestHttp;
  const startedAt = performance.now();
  const kept = recorded.headers.filter(([name]) => !MADE_ANEW.has(name.toLowerCase()));
  const headers = [...kept, ['Host', target.host], ['Content-Length', String(recorded.body.length)]].flat();
  const answer = await new Promise<number | string>((resolve) => {
    const outgoing = open(target, { method: recorded.method, headers, agent: false, timeout: deadlineMs });
    outgoing.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${deadlineMs / 1_000} s`)));
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    outgoing.end(recorded.body);
  });
  return { recorded, answer, ms: Math.round(performance.now() - startedAt) };
}
