import type { ClientRequest } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, isIPv6, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { request as overHttp } from '../node-http.ts';
import { CONNECT_TIMEOUT, EGRESS_PROXY, isExhaustion } from './failure.ts';
import { hostIn } from './guarded-lookup.ts';
import { errorWith } from '../thrown.ts';
import type { Dialler } from './undici-transport.ts';

/** The proxy of the operator through which all webhooks are sent. */
export interface EgressProxy {
  /** `http:` or `https:`, without credentials. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
}

/** Where a tunnel leads. */
export interface TunnelTarget {
  /** A name, which the proxy looks up, or an address; of IPv6 without brackets. */
  readonly hostname: string;
  readonly port: string;
}

/**
 * Opens each connection as a tunnel (`CONNECT`), for http as for https: TLS is the receiver's, and the proxy sees the host alone. What
 * names lead to is up to the proxy (D-28).
 */
export function throughProxy(proxy: EgressProxy): Dialler {
  return (options) => {
    const secure = buildConnector(options);
    return (target, callback) => {
      // A connection that is open already gets its TLS (tls-gate.ts).
      if (target.httpSocket !== undefined) return secure(target, callback);
      openTunnel(proxy, { ...target, port: target.port || '80' }, options.timeout ?? 0).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    };
  };
}

/**
 * Resolves once the proxy has connected. What tenants read of a failure in their log has no address of the operator's network; it never
 * counts as permanent, as no receiver can mend it.
 */
export function openTunnel(proxy: EgressProxy, target: TunnelTarget, timeoutMs: number): Promise<Socket> {
  const { hostname, port } = target;
  const place = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
  return new Promise((resolve, reject) => {
    const request = asking(proxy, place);
    const late = setTimeout(() => {
      const words = `the egress proxy has not connected to ${place} within ${timeoutMs / 1000} s`;
      request.destroy(errorWith(CONNECT_TIMEOUT, words));
    }, timeoutMs);
    request.once('connect', ({ statusCode = 0 }, socket, head) => {
      clearTimeout(late);
      const isOpen = statusCode >= 200 && statusCode < 300;
      if (isOpen && head.length === 0) return resolve(socket);
      socket.destroy();
      // undici would drop such a connection before it sends the request, and open another, thousands of times until the deadline.
      if (isOpen) return reject(new Error(`${place} answers before it is asked: it speaks neither HTTP nor TLS`));
      reject(errorWith(EGRESS_PROXY, `the egress proxy answers ${statusCode} to CONNECT ${place}`));
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      if (error.code === CONNECT_TIMEOUT) return reject(error);
      const code = isExhaustion(error) ? error.code : EGRESS_PROXY;
      reject(errorWith(code, `the egress proxy cannot be reached (${error.code ?? 'no answer'})`));
    });
    request.end();
  });
}

function asking({ url, authorization }: EgressProxy, place: string): ClientRequest {
  const proxyHost = hostIn(url);
  return (url.protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'CONNECT',
    path: place,
    headers: { host: place, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    agent: false,
    // Said here: the environment can weaken it for the whole process, and Node would verify the name in `Host`, which is the webhook's.
    rejectUnauthorized: true,
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
  });
}
