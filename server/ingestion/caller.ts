import { isIP } from 'node:net';
import type { Context } from 'koa';
import { tokenInHeader } from './authorization.ts';
import type { Source } from './source.ts';

/** What is known of a sender before its body is read. */
export interface Caller {
  /** The source of the key in the header; undefined when the key has to be elsewhere. */
  readonly source: Source | undefined;
  /** The access token in the header, not yet looked at. */
  readonly token: string | undefined;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The address that the request came from. */
  readonly ip: string | undefined;
  /** The host that the sender called, with its port, and over which protocol; TLS ends at a proxy before us. */
  readonly host: string;
  readonly protocol: 'http' | 'https';
}

export function callerOf(ctx: Context, source: Source | undefined, receivedAt: number): Caller {
  return {
    source,
    token: tokenInHeader(ctx.get('authorization')),
    receivedAt,
    ip: ipOf(forwarded(ctx, 'x-forwarded-for')) ?? ipOf(ctx.socket.remoteAddress ?? ''),
    host: ctx.get('host'),
    protocol: forwarded(ctx, 'x-forwarded-proto') === 'https' ? 'https' : 'http',
  };
}

/**
 * What proxies before us say, of the first of them. A sender can say it as well; that gives it nothing, since it may
 * state an address of its choice in the event itself.
 */
function forwarded(ctx: Context, header: string): string {
  const [first = ''] = ctx.get(header).split(',', 1);
  return first.trim();
}

/** An IPv4 address that came over an IPv6 socket is written as what it is. */
function ipOf(text: string): string | undefined {
  const address = text.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? undefined : address;
}
