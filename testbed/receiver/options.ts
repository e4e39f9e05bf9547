import { isIP } from 'node:net';
import type { Clock } from '../../server/ports/clock.ts';
import type { Script } from '../fault-script/step.ts';

/** Faults of the TLS layer, which no step of a script can make: they come before there is HTTP. */
export type TlsFault = 'self-signed' | 'expired' | 'wrong-host' | 'unknown-ca' | 'old-version' | 'handshake-stall';

export interface ReceiverOptions {
  /** The destination's `sharedSecret`; without it no signature is expected. */
  readonly secret?: string;
  /** What it does, in either form; default a plain 200 for everything. */
  readonly script?: string | Script;
  /** Another seed gives every chance and every random delay of the script another course; default 0. */
  readonly seed?: number;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default the time of this machine. */
  readonly clock?: Clock;
  /** How many requests stay in `received`, the latest of them; default all. */
  readonly keep?: number;
  /** Reserved: a receiver that speaks TLS is not built, and so every value is refused. */
  readonly tls?: TlsFault;
}

/** Throws for the first option that cannot be, naming it and the value. */
export function checkOptions({ secret, seed, port, host, keep, tls }: ReceiverOptions): void {
  if (secret === '')
    throw new TypeError('The option secret is empty; leave it out for a receiver that expects no signature');
  checkWhole('seed', seed, 0, 4_294_967_295);
  checkWhole('port', port, 0, 65_535);
  checkWhole('keep', keep, 1, Number.MAX_SAFE_INTEGER);
  if (host === '') throw new TypeError('The option host is empty; leave it out for 127.0.0.1');
  if (tls !== undefined)
    throw new TypeError(`The option tls is '${tls}', but a receiver speaks plain HTTP; leave it out`);
}

/** Where to reach a receiver that listens there; one that listens on all addresses is reached by the loopback one. */
export function urlOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}

function checkWhole(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new TypeError(`The option ${name} is ${String(value)}; give a whole number from ${least} to ${most}`);
}
