import type { IncomingMessage } from 'node:http';

/** What operations read of a request, whoever serves it: Koa's context is one, and so is a request that is answered without it. */
export interface Asked {
  readonly req: IncomingMessage;
  readonly method: string;
  readonly path: string;
  /** Without its question mark. */
  readonly querystring: string;
  /** A header in any case; an empty text for one that was not sent. */
  get(name: string): string;
}

/** A request whose target is path and query (`targetOf`); its path may be brought into another spelling. */
export class PlainRequest implements Asked {
  readonly req: IncomingMessage;
  readonly method: string;
  readonly querystring: string;
  path: string;

  constructor(req: IncomingMessage) {
    const target = req.url ?? '/';
    const at = target.indexOf('?');
    this.req = req;
    this.method = req.method ?? 'GET';
    this.path = at === -1 ? target : target.slice(0, at);
    this.querystring = at === -1 ? '' : target.slice(at + 1);
  }

  get(name: string): string {
    const value = this.req.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : (value?.join(', ') ?? '');
  }
}

/**
 * Path and query, or the `*` of OPTIONS; undefined where they cannot be read. Proxies may be asked for a whole address, and a
 * fragment is nothing that a server should be told.
 */
export function targetOf(url: string): string | undefined {
  if (url === '*') return url;
  const target = url.startsWith('/') ? url : pathAndQueryOf(url);
  const fragment = target.indexOf('#');
  const read = fragment === -1 ? target : target.slice(0, fragment);
  return read.startsWith('/') ? read : undefined;
}

function pathAndQueryOf(url: string): string {
  const address = URL.parse(url);
  return address === null ? '' : address.pathname + address.search;
}
