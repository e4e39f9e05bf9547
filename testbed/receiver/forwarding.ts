import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Turn } from '../fault-script/player.ts';
import type { Received } from './received.ts';

/** Headers about one connection, which the next one makes for itself. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade']);
const MADE_ANEW = new Set([...OF_THE_CONNECTION, 'host', 'content-length']);

/** Whether a turn lets the application answer: a plain 200, with nothing else to do. */
export function isLeftToApplication({ behaviour }: Turn): boolean {
  if (behaviour.kind !== 'answer' || behaviour.status !== 200) return false;
  const { body, headers, gzip, headerFill, interim, drip, dripHeaders, retryAfter } = behaviour;
  const isPlain = 'bytes' in body && body.bytes === 0 && Object.keys(headers).length === 0;
  const isLeft = !gzip && headerFill === 0 && interim.count === 0;
  return isPlain && isLeft && drip === undefined && dripHeaders === undefined && retryAfter === undefined;
}

/** Sends a request on to an application, raw bytes and headers as they came, and its answer back. */
export async function forward(application: string, received: Received, response: ServerResponse): Promise<void> {
  try {
    const answer = await ask(application, received);
    response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers));
    await pipeline(answer, response);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    response.writeHead(502, { 'Content-Type': 'text/plain' });
    response.end(`the application did not answer: ${reason}\n`);
  }
}

async function ask(application: string, { method, path, headers, body }: Received): Promise<IncomingMessage> {
  const target = new URL(application);
  // The path that was asked is added to that of the application; a bare `/` adds nothing.
  const base = target.pathname.replace(/\/$/, '');
  const open = target.protocol === 'https:' ? requestHttps : requestHttp;
  const kept = headers.filter(([name]) => !MADE_ANEW.has(name.toLowerCase()));
  const sent = [...kept, ['Host', target.host], ['Content-Length', String(body.length)]].flat();
  return new Promise((resolve, reject) => {
    const outgoing = open(target, {
      method,
      path: base + (path === '/' && base !== '' ? '' : path),
      headers: sent,
      agent: false,
    });
    outgoing.once('response', resolve).once('error', reject);
    outgoing.end(body);
  });
}

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name)));
}
