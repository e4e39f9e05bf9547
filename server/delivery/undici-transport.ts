import { isIP } from 'node:net';
import { Agent } from 'undici';
import type { PostRequest, PostResult, Transport } from '../ports/transport.ts';
import { type AddressGuard, guardedLookup } from './address-guard.ts';
import { Exchange } from './exchange.ts';

/**
 * The Transport over real sockets: HTTP/1.1, connections reused per origin, redirects never followed, proxies in the
 * environment ignored (D-28).
 */
export function createUndiciTransport(guard: AddressGuard, connectTimeoutMs: number): Transport {
  const agent = new Agent({
    allowH2: false,
    // The deadline of each exchange is its own; undici's timers would only round it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
    connect: { timeout: connectTimeoutMs, lookup: guardedLookup(guard) },
  });
  return {
    post: (request, signal) => post(agent, guard, request, signal),
    close: () => agent.destroy(),
  };
}

function post(agent: Agent, guard: AddressGuard, request: PostRequest, signal: AbortSignal): Promise<PostResult> {
  const url = new URL(request.url);
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !guard(literal)) {
    return Promise.resolve({
      kind: 'failed',
      failure: 'blocked_address',
      detail: `${literal} is not a public address`,
    });
  }
  return new Promise((resolve) => {
    const exchange = new Exchange(request.deadlineMs, signal, resolve);
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: request.headers,
        body: Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength),
      },
      exchange,
    );
  });
}
