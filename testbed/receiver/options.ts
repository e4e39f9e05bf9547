import { isIP } from 'node:net';
import type { ReceiverClock } from './receiver-clock.ts';
import type { Script } from '../fault-script/step.ts';
import type { Outage } from '../outages/outage.ts';
import { outageNamed } from '../outages/outages.ts';
import { type SocketPhase, socketPhases } from '../outages/socket-outage.ts';
import { refuseUndefined, refuseUnknown } from './known-names.ts';
import { type SchemeChoice, schemeOf } from '../schemes/schemes.ts';
import { checkSecret } from '../schemes/secret.ts';
import { TLS_FAULTS, type TlsFault } from '../tls/tls-fault.ts';

/** What an endpoint of its own has; what is left out is as for the whole receiver. */
export interface EndpointOptions {
  /** The `sharedSecret` of the destination that sends here. */
  readonly secret?: string;
  /** How the sender signs; default as Waybill does. */
  readonly scheme?: SchemeChoice;
  /** Default a plain 200. */
  readonly script?: string | Script;
  readonly forward?: string;
}

export interface ReceiverOptions {
  /** The destination's `sharedSecret`; without it no signature is expected. */
  readonly secret?: string;
  /** How the sender signs: `stripe`, `github`, … or one from `custom`; default `waybill`. */
  readonly scheme?: SchemeChoice;
  /** What it does, in either form; default a plain 200 for everything. */
  readonly script?: string | Script;
  /** Another seed gives every chance and every random delay of the script another course; default 0. */
  readonly seed?: number;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default the time of this machine. */
  readonly clock?: ReceiverClock;
  /** How many requests stay in `received`, the latest of them; default all. */
  readonly keep?: number;
  /** How many bytes of bodies stay in `received`, the latest request in any case; default all. */
  readonly keepBytes?: number;
  /**
   * Speaks TLS, with certificates made on the spot: well with `none`, or with a fault that comes before there is HTTP.
   * Senders trust the receiver's `ca`. Its name is localhost.
   */
  readonly tls?: TlsFault;
  /**
   * Where an application of one's own listens. A request to which the script would answer a plain 200 goes there, raw
   * bytes and headers untouched, and its answer comes back. It goes to the path of this URL, or to the path that was
   * asked when this URL has none.
   */
  readonly forward?: string;
  /**
   * Plays an outage of the library, or one of one's own, from the moment when it listens; afterwards all is well, or as
   * `script` says. What sockets cannot play is refused.
   */
  readonly outage?: string | Outage;
  /** How many times as fast the phases of the outage pass; default 1. What one answer does takes as long as ever. */
  readonly speed?: number;
  /**
   * Endpoints on the one port, by their paths (`/hooks/a`), each with a script of its own. Every other path is answered
   * by `script`, and with 404 when there is none.
   */
  readonly endpoints?: Readonly<Record<string, EndpointOptions>>;
}

const MOST_SPEED = 10_000;
const OF_ENDPOINT = ['secret', 'scheme', 'script', 'forward'] as const satisfies readonly (keyof EndpointOptions)[];
const OF_RECEIVER = [
  ...OF_ENDPOINT,
  'seed',
  'port',
  'host',
  'clock',
  'keep',
  'keepBytes',
  'tls',
  'outage',
  'speed',
  'endpoints',
] as const satisfies readonly (keyof ReceiverOptions)[];

/** Throws for a name that is no option, and for one of which it matters whether it is given, and is undefined. */
export function checkNames(options: ReceiverOptions): void {
  refuseUnknown('createReceiver', options, OF_RECEIVER);
  refuseUndefined('', options, [...OF_ENDPOINT, 'tls', 'outage', 'endpoints']);
  for (const [path, endpoint] of Object.entries(options.endpoints ?? {})) {
    refuseUnknown(`The endpoint ${path}`, endpoint, OF_ENDPOINT);
    refuseUndefined(` of the endpoint ${path}`, endpoint, OF_ENDPOINT);
  }
}

/** Throws for the first option that cannot be, naming it and the value. */
export function checkOptions(options: ReceiverOptions): void {
  const { secret: shared, scheme: general, forward: whole } = options;
  const { seed, port, host, keep, keepBytes, tls, outage, speed, endpoints = {} } = options;
  checkEndpoint('', { secret: shared, scheme: general, forward: whole });
  checkWhole('seed', seed, 0, 4_294_967_295);
  checkWhole('port', port, 0, 65_535);
  checkWhole('keep', keep, 1, Number.MAX_SAFE_INTEGER);
  checkWhole('keepBytes', keepBytes, 1, Number.MAX_SAFE_INTEGER);
  if (host === '') throw new TypeError('The option host is empty; leave it out for 127.0.0.1');
  if (tls !== undefined && !TLS_FAULTS.includes(tls))
    throw new TypeError(`The option tls is ${JSON.stringify(tls)}; give one of ${TLS_FAULTS.join(', ')}`);
  if (speed !== undefined && !(speed > 0 && speed <= MOST_SPEED))
    throw new TypeError(`The option speed is ${speed}; give a number above 0, at most ${MOST_SPEED}`);
  if (speed !== undefined && outage === undefined)
    throw new TypeError('The option speed is for an outage; add one, or leave it out');
  for (const [path, endpoint] of Object.entries(endpoints)) {
    if (!/^\/[^?#\s]*$/.test(path))
      throw new TypeError(`The endpoint ${JSON.stringify(path)} is no path; begin it with /, without a query`);
    const { secret = shared, scheme = general, forward } = endpoint;
    checkEndpoint(` of the endpoint ${path}`, { secret, scheme, forward });
  }
}

const UNCHECKED = 'leave it out for a receiver that expects no signature';

interface Checked {
  readonly secret: string | undefined;
  readonly scheme: SchemeChoice | undefined;
  readonly forward: string | undefined;
}

function checkEndpoint(whose: string, { secret, scheme, forward }: Checked): void {
  const signing = schemeOf(scheme);
  if (secret !== undefined) checkSecret(`The option secret${whose}`, secret, signing, 'check', UNCHECKED);
  if (forward !== undefined && !/^https?:$/.test(URL.parse(forward)?.protocol ?? ''))
    throw new TypeError(`The option forward${whose} is ${JSON.stringify(forward)}; give a whole http or https URL`);
}

/** The outage as it is played here. Throws for one that is not known, or that sockets cannot play. */
export function phasesOf({ outage, speed = 1, tls }: ReceiverOptions): readonly SocketPhase[] {
  if (outage === undefined) return [];
  return socketPhases(typeof outage === 'string' ? outageNamed(outage) : outage, speed, tls !== undefined);
}

/** Where to reach a receiver that listens there; one that listens on all addresses is reached by the loopback one. */
export function urlOf(host: string, port: number, isEncrypted = false): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http${isEncrypted ? 's' : ''}://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}

function checkWhole(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new TypeError(`The option ${name} is ${String(value)}; give a whole number from ${least} to ${most}`);
}
