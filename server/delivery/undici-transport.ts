import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Resolver } from '../ports/resolver.ts';
import type { PostRequest, PostResult, Transport } from '../ports/transport.ts';
import { createSystemResolver } from '../system-resolver.ts';
import type { AddressGuard } from './address-guard.ts';
import { limitAnswers } from './answer-limit.ts';
import { Exchange } from './exchange.ts';
import { admit, guardedLookup } from './guarded-lookup.ts';

/** Makes what opens connections. */
export type Dialler = (options: DialOptions) => buildConnector.connector;
type DialOptions = buildConnector.BuildOptions & { readonly lookup: LookupFunction };

export interface TransportParts {
  /** Default: the machine's own. */
  readonly resolver?: Resolver;
  /** Default: one that dials. Another shows what would be dialled, without a packet. */
  readonly dialler?: Dialler;
}

/**
 * The Transport over real sockets: HTTP/1.1, connections reused per origin, redirects never followed, proxies in the
 * environment ignored (D-28).
 */
export function createUndiciTransport(
  guard: AddressGuard,
  connectTimeoutMs: number,
  { resolver = createSystemResolver(), dialler = buildConnector }: TransportParts = {},
): Transport {
  const agent = new Agent({
    allowH2: false,
    // The deadline of each exchange is its own; undici's timers would only round it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
    // Said here, because an option of the runtime can raise it for the whole process.
    maxHeaderSize: 16 * 1024,
    connect: limitAnswers(
      dialler({
        allowH2: false,
        timeout: connectTimeoutMs,
        lookup: guardedLookup(guard, resolver),
        // Said here, because the environment can weaken both of them for the whole process (HOOK-11).
        rejectUnauthorized: true,
        minVersion: 'TLSv1.2',
      }),
    ),
  });
  return {
    post: (request, signal) => post(agent, guard, request, signal),
    close: () => agent.destroy(),
  };
}

function post(agent: Agent, guard: AddressGuard, request: PostRequest, signal: AbortSignal): Promise<PostResult> {
  const admission = admit(request.url, guard);
  if ('refused' in admission) {
    return Promise.resolve({ kind: 'failed', failure: 'blocked_address', detail: admission.refused });
  }
  const { url } = admission;
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
