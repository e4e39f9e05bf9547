import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { ClientAddresses } from '../http/client-addresses.ts';
import type { Holder } from '../http/admission.ts';
import { type Source, tokenInHeader } from './write-key.ts';

/** What is known of a sender before its body is read. */
export interface Caller {
  /** The source of the key in the header or the query; undefined when the key has to be in the body. */
  readonly source: Source | undefined;
  /** On whose account its body takes memory. */
  readonly holder: Holder;
  /** The key in the header that no source has, where such are accepted (D-41). */
  readonly unknownKey?: string | undefined;
  /** The access token in the header, not yet looked at. */
  readonly token: string | undefined;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The address that the request came from. */
  readonly ip: string | undefined;
  /** How the sender reached us; worked out for the few who ask. */
  readonly reached: () => Reached;
}

export interface Reached {
  /** The host that the sender called, with its port, and over which protocol; TLS ends at a proxy before us. */
  readonly host: string;
  readonly protocol: 'http' | 'https';
  /** The address and port of ours that the connection came to: `127.0.0.1:8080`. No sender can choose it. */
  readonly listener: string;
}

interface Arrival extends Pick<Caller, 'source' | 'receivedAt'> {
  readonly addresses: ClientAddresses;
}

export function callerOf(ctx: Context, { source, receivedAt, addresses }: Arrival): Caller {
  return {
    source,
    holder:
      source === undefined ? { id: addresses.forLimits(ctx.req), hasKey: false } : { id: source.name, hasKey: true },
    token: tokenInHeader(ctx.get('authorization')),
    receivedAt,
    ip: addresses.forEvents(ctx.req),
    reached: () => ({
      host: ctx.get('host'),
      protocol: firstOf(ctx.get('x-forwarded-proto')) === 'https' ? 'https' : 'http',
      listener: listenerOf(ctx.socket),
    }),
  };
}

/** Of what proxies before us say, what the first of them said. */
function firstOf(header: string): string {
  const [first = ''] = header.split(',', 1);
  return first.trim();
}

function listenerOf({ localAddress = '', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
