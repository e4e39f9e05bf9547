import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { ReceiverClock } from './receiver-clock.ts';
import type { Turn } from '../fault-script/player.ts';
import { Excerpt } from './excerpt.ts';
import { headersFor, reasonOf, targetOf, withoutConnection } from './forward-target.ts';
import { headersIn } from './received.ts';
import type { Forwarded, Header, Received } from './received.ts';

/** The application that answers a request; undefined where the script does. */
export function applicationFor({ application, turn }: Received): string | undefined {
  return application !== undefined && isLeftToApplication(turn) ? application : undefined;
}

/** Whether a turn lets the application answer: a plain 200, with nothing else to do. */
function isLeftToApplication({ behavior }: Turn): boolean {
  if (behavior.kind !== 'answer' || behavior.status !== 200) return false;
  const { body, headers, gzip, headerFill, interim, drip, dripHeaders, retryAfter } = behavior;
  const isPlain = 'bytes' in body && body.bytes === 0 && Object.keys(headers).length === 0;
  const isLeft = !gzip && headerFill === 0 && interim.count === 0;
  return isPlain && isLeft && drip === undefined && dripHeaders === undefined && retryAfter === undefined;
}

interface Circumstances {
  readonly clock: ReceiverClock;
  /** Aborts when the sender has hung up, and ends the request to the application as well. */
  readonly over: AbortSignal;
}

/**
 * Sends a request on to an application, raw bytes and headers as they came, and its answer back. Undefined when the
 * sender has hung up before.
 */
export async function forward(
  application: string,
  received: Received,
  response: ServerResponse,
  { clock, over }: Circumstances,
): Promise<Forwarded | undefined> {
  const startedAt = clock.now();
  const body = new Excerpt();
  const told = (status: number, headers: readonly Header[], failure?: string): Forwarded => ({
    status,
    ...(failure === undefined ? {} : { failure }),
    afterMs: clock.now() - startedAt,
    headers,
    excerpt: body.beginning,
    bytes: body.bytes,
  });
  try {
    const answer = await ask(application, received, over);
    const [status, headers] = [answer.statusCode ?? 502, withoutConnection(headersIn(answer.rawHeaders))];
    const failure = await pass(answer, status, headers, body, response);
    return over.aborted ? undefined : told(status, headers, failure);
  } catch (error) {
    if (over.aborted) return undefined;
    const failure = reasonOf(error);
    response.writeHead(502, { 'Content-Type': 'text/plain' }).end(`the application did not answer: ${failure}\n`);
    return told(502, [], failure);
  }
}

/** The answer goes back; what went wrong in the middle of it is answered. */
async function pass(
  answer: IncomingMessage,
  status: number,
  headers: readonly Header[],
  body: Excerpt,
  response: ServerResponse,
): Promise<string | undefined> {
  response.sendDate = false; // the application's own comes, if it has one
  response.writeHead(status, headers.flat());
  try {
    await pipeline(answer, body.of.bind(body), response);
    return undefined;
  } catch (error) {
    response.destroy();
    return reasonOf(error);
  }
}

async function ask(
  application: string,
  { method, path, headers, body }: Received,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const target = targetOf(application, path);
  const open = target.origin.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { method, path: target.path, headers: headersFor(target, headers, body), agent: false, signal };
    const outgoing = open(target.origin, options);
    outgoing.once('response', resolve).on('error', reject);
    outgoing.end(body);
  });
}
