import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '../../server/delivery/failure.ts';
import { outcomeOf } from '../../server/model/outcome.ts';
import type { PostRequest } from '../../server/ports/transport.ts';
import type { Answer, Courier } from './courier.ts';

const PIECES = 3;
const PAUSE_MS = 60;

/**
 * Sends the head of a request of production and half of its body, and hangs up, as a sender that is killed does.
 * Resolves when the connection has ended.
 */
export async function breakOff(request: PostRequest): Promise<void> {
  const { url, body } = request;
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const headers = { ...request.headers, 'Content-Length': body.length };
  await new Promise<void>((resolve) => {
    const outgoing = open(url, { method: 'POST', headers, agent: false });
    // Whatever comes of it: nobody listens any more.
    outgoing.on('error', () => undefined).once('close', () => resolve());
    outgoing.write(body.subarray(0, Math.ceil(body.length / 2)), () => outgoing.destroy());
  });
}

/** Sends a request of production in pieces, with pauses: no sender does so on purpose, and every network does. */
export async function sendInPieces({ deadlineMs }: Courier, request: PostRequest): Promise<Answer> {
  const startedAt = performance.now();
  const { url, body } = request;
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const outgoing = open(url, {
    method: 'POST',
    headers: { ...request.headers, 'Content-Length': body.length },
    agent: false,
  });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.setTimeout(deadlineMs, () => outgoing.destroy(new Error('no answer in time')));
  });
  try {
    // A receiver may answer, or hang up, before all has been sent.
    const [status] = await Promise.all([answered, writeInPieces(outgoing, body)]);
    return {
      outcome: outcomeOf({ kind: 'answered', status, excerpt: '' }),
      status,
      excerpt: '',
      ms: performance.now() - startedAt,
    };
  } catch (error) {
    const { failure } = failureOf(error instanceof Error ? error : new Error(String(error)));
    return { outcome: failure, status: undefined, excerpt: '', ms: performance.now() - startedAt };
  } finally {
    outgoing.destroy();
  }
}

async function writeInPieces(outgoing: NodeJS.WritableStream, body: Uint8Array): Promise<void> {
  const size = Math.ceil(body.length / PIECES);
  for (let at = 0; at < body.length; at += size) {
    outgoing.write(body.subarray(at, at + size));
    await sleep(PAUSE_MS);
  }
  outgoing.end();
}
