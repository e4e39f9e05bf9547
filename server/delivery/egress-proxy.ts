import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { CONNECT_TIMEOUT, EGRESS_PROXY, isExhaustion } from './failure.ts';
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
export function openTunnel(
  { url, authorization }: EgressProxy,
  { hostname, port }: TunnelTarget,
  timeoutMs: number,
): Promise<Socket> {
  const place = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
  const headers = { host: place, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method: 'CONNECT',
      path: place,
      headers,
      agent: false,
    });
    const late = setTimeout(() => {
      const words = `the egress proxy has not connected to ${place} within ${timeoutMs / 1000} s`;
      request.destroy(withCode(words, CONNECT_TIMEOUT));
    }, timeoutMs);
    request.once('connect', ({ statusCode = 0 }, socket, head) => {
      clearTimeout(late);
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(withCode(`the egress proxy answers ${statusCode} to CONNECT ${place}`, EGRESS_PROXY));
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      if (error.code === CONNECT_TIMEOUT || isExhaustion(error)) return reject(error);
      reject(withCode(`the egress proxy cannot be reached (${error.code ?? 'no answer'})`, EGRESS_PROXY));
    });
    request.end();
  });
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
