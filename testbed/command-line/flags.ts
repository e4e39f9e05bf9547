import { nearest } from '../../server/nearest.ts';
import type { Script } from '../fault-script/step.ts';
import { outageNamed } from '../outages/outages.ts';
import { checkOptions, phasesOf } from '../receiver/options.ts';
import type { EndpointOptions } from '../receiver/options.ts';
import type { SchemeChoice } from '../schemes/schemes.ts';
import { TLS_FAULTS, type TlsFault } from '../tls/tls-fault.ts';
import { readEndpoints } from './endpoint-flags.ts';
import { asFlag, FlagError, given, readValues, textOf } from './flag-values.ts';
import type { FlagKind, Given } from './flag-values.ts';
import { readScheme, SCHEME_FLAGS } from './scheme-flag.ts';
import { readScript } from './script-flag.ts';

export const RECEIVER_FLAGS = {
  port: 'text',
  host: 'text',
  secret: 'text',
  ...SCHEME_FLAGS,
  script: 'text',
  seed: 'text',
  endpoint: 'list',
  'endpoint-secret': 'list',
  outage: 'text',
  speed: 'text',
  tls: 'choice',
  forward: 'text',
  record: 'text',
  har: 'text',
  'control-port': 'text',
  json: 'switch',
  help: 'switch',
} as const satisfies Record<string, FlagKind>;

export interface Flags {
  readonly port: number;
  readonly host: string;
  readonly secret?: string;
  readonly scheme?: SchemeChoice;
  readonly script?: Script;
  readonly seed: number;
  readonly endpoints?: Readonly<Record<string, EndpointOptions>>;
  readonly outage?: string;
  readonly speed?: number;
  readonly tls?: TlsFault;
  readonly forward?: string;
  /** A file that requests are added to, to be replayed. */
  readonly record?: string;
  /** A file that the HTTP archive goes to. */
  readonly har?: string;
  readonly controlPort?: number;
  readonly json: boolean;
  readonly help: boolean;
}

export function readFlags(args: readonly string[]): Flags {
  const { values } = readValues(args, RECEIVER_FLAGS);
  const { port = ['9000'], seed = ['0'], tls, json, help } = values;
  const { host, secret, script, forward, record, har, 'control-port': control } = values;
  for (const [name, text] of Object.entries({ host, secret, record, har })) refuseEmpty(name, text);
  const endpoints = readEndpoints(values.endpoint ?? [], values['endpoint-secret'] ?? []);
  const flags: Flags = {
    port: wholeNumber('--port', port, 65_535),
    host: textOf(host) ?? '127.0.0.1',
    ...given('secret', textOf(secret)),
    ...given('scheme', readScheme(values)),
    ...given('script', readScript('--script', textOf(script))),
    seed: wholeNumber('--seed', seed, 4_294_967_295),
    ...given('endpoints', endpoints),
    ...given('outage', readOutage(values.outage)),
    ...given('speed', readSpeed(values.speed)),
    ...given('tls', readFault(tls)),
    ...given('forward', textOf(forward)),
    ...given('record', textOf(record)),
    ...given('har', textOf(har)),
    ...given('controlPort', control && wholeNumber('--control-port', control, 65_535)),
    json: json !== undefined,
    help: help !== undefined,
  };
  return checked(flags);
}

function checked(flags: Flags): Flags {
  asFlag(() => checkOptions(flags));
  asFlag(() => phasesOf(flags));
  return flags;
}

function readOutage(values: Given | undefined): string | undefined {
  if (values === undefined) return undefined;
  try {
    return outageNamed(textOf(values) ?? '').name;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FlagError(`--outage: ${error.message}`, { cause: error });
  }
}

function readSpeed(values: Given | undefined): number | undefined {
  if (values === undefined) return undefined;
  const text = textOf(values) ?? '';
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new FlagError(`--speed must be a number, such as 60 or 0.5, got ${text}`);
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  host: 'leave it out for 127.0.0.1',
  secret: 'leave it out for a receiver that expects no signature',
};

function refuseEmpty(name: string, value: Given | undefined): void {
  if (textOf(value) === '') throw new FlagError(`--${name} is empty; ${WAYS_OUT[name] ?? 'give the name of a file'}`);
}

function wholeNumber(flag: string, values: Given, most: number): number {
  const value = textOf(values) ?? '';
  if (/^\d{1,10}$/.test(value) && Number(value) <= most) return Number(value);
  throw new FlagError(`${flag} must be an integer from 0 to ${most}, got ${value}`);
}

function readFault(values: Given | undefined): TlsFault | undefined {
  if (values === undefined) return undefined;
  const value = textOf(values) ?? 'none';
  const fault = TLS_FAULTS.find((known) => known === value);
  if (fault !== undefined) return fault;
  const guess = nearest(value, TLS_FAULTS);
  const wayOut = guess === undefined ? `give one of ${TLS_FAULTS.join(', ')}` : `did you mean ${guess}?`;
  throw new FlagError(`--tls ${value} is no fault of TLS; ${wayOut}`);
}
