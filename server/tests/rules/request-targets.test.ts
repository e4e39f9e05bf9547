import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { PlainRequest } from '../../http/asked.ts';
import { serve } from '../support/served.ts';

function told(path: string, query: string): string {
  return JSON.stringify([path, query]);
}

/** Answers what the front and the application are told of a request with this target. */
async function asked(target: string, isFront: boolean): Promise<string> {
  const others = new Koa().use((ctx) => {
    ctx.body = told(ctx.path, ctx.querystring);
  });
  const url = await serve(others, (request, response) => {
    const { path, querystring } = new PlainRequest(request);
    if (isFront) response.end(told(path, querystring));
    return isFront;
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${target} HTTP/1.1\r\nHost: waybill\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.each([
  ['a host that does not end', 'http://[::1/v1beta/workspaces'],
  ['a port that is none', 'http://waybill:99999/v1/track'],
  ['no path', 'other://waybill'],
  ['a query alone', 'other://waybill?a=b'],
])('a request for an address with %s is a 400, whoever serves it', async (_case, target) => {
  for (const isFront of [true, false]) {
    const answer = await asked(target, isFront);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"error":"the address of the request cannot be read","code":3,"message":');
  }
});

test.each([
  ['path and query', '/v1/track?a=b', '/v1/track', 'a=b'],
  ['a whole address', 'http://waybill:8080/v1/track?a=b#c', '/v1/track', 'a=b'],
  ['one with a user that Koa cannot read', 'http://a%zz@waybill/v1/track', '/v1/track', ''],
  ['a path that looks like a host', '//[::1/track', '//[::1/track', ''],
  ['a fragment', '/v1/track#c', '/v1/track', ''],
  ['the router as a whole', '*', '*', ''],
])('of a request for %s, all are told the same path and query', async (_case, target, path, query) => {
  for (const isFront of [true, false]) {
    const answer = await asked(target, isFront);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain(told(path, query));
  }
});
