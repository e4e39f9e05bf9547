import { Complaint } from '../../fault-script/script-error.ts';
import { milliseconds, normalDuration } from '../../fault-script/units.ts';
import type { SchemeChoice } from '../../schemes/schemes.ts';
import type { CertificateFlags } from '../certify/certificate.ts';
import { FlagError, type FlagKind, type Given, given, readValues, textOf } from '../flag-values.ts';
import { readScheme, SCHEME_FLAGS, secretFor } from '../scheme-flag.ts';

export const SENDER_FLAGS = {
  trigger: 'text',
  listen: 'text',
  budget: 'text',
  'retry-within': 'text',
  'max-per-second': 'text',
  ordered: 'switch',
  secret: 'text',
  ...SCHEME_FLAGS,
  'id-field': 'text',
  tls: 'choice',
  junit: 'text',
  html: 'text',
  svg: 'text',
  statement: 'text',
  key: 'text',
  json: 'switch',
  help: 'switch',
} as const satisfies Record<string, FlagKind>;
type Flag = keyof typeof SENDER_FLAGS;

const LEAST_BUDGET_MS = 1_000;

export interface SenderFlags extends CertificateFlags {
  readonly trigger: string;
  readonly host: string;
  readonly port: number;
  readonly budgetMs: number;
  readonly retryWithinMs?: number;
  readonly maxPerSecond?: number;
  readonly ordered: boolean;
  readonly secret?: string;
  readonly scheme?: SchemeChoice;
  readonly idField?: string;
  /** HTTPS: with an authority that is kept in this file, or one of its own. */
  readonly tls: boolean | { readonly file: string };
  readonly svg?: string;
}

/** Throws a FlagError that names the flag; the values of --secret and --trigger are never repeated. */
export function readSenderOptions(args: readonly string[]): SenderFlags | 'help' {
  const { values } = readValues(args, SENDER_FLAGS);
  const text = (flag: Flag): string | undefined => {
    const value = textOf(values[flag]);
    if (value === '') throw new FlagError(`--${flag} is empty; give it a value, or leave it out`);
    return value;
  };
  const span = (flag: Flag): number | undefined => durationIn(flag, text(flag));
  if (values.help !== undefined) return 'help';
  const trigger = text('trigger');
  if (trigger === undefined)
    throw new FlagError('--trigger is missing; give a command that makes the sender send one event');
  const scheme = readScheme(values);
  return {
    trigger,
    ...addressIn(text('listen') ?? '127.0.0.1:9090'),
    budgetMs: span('budget') ?? 600_000,
    tls: tlsIn(values.tls),
    json: values.json !== undefined,
    ordered: values.ordered !== undefined,
    ...given('maxPerSecond', rateIn(text('max-per-second'))),
    ...given('retryWithinMs', span('retry-within')),
    ...given('scheme', scheme),
    ...given('secret', secretFor(text('secret'), scheme, 'check')),
    ...given('idField', text('id-field')),
    ...given('junit', text('junit')),
    ...given('html', text('html')),
    ...given('svg', text('svg')),
    ...given('statement', text('statement')),
    ...given('key', text('key')),
  };
}

function durationIn(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    const ms = milliseconds(normalDuration(text));
    if (ms < LEAST_BUDGET_MS) throw new FlagError(`--${flag} is ${text}; give at least 1s`);
    return ms;
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    throw new FlagError(`--${flag}: ${error.message}`, { cause: error });
  }
}

function rateIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  throw new FlagError(`--max-per-second is ${text}; give a number above 0, such as 10`);
}

function tlsIn(values: Given | undefined): SenderFlags['tls'] {
  const file = values === undefined ? undefined : textOf(values);
  return file === undefined ? values !== undefined : { file };
}

/** `127.0.0.1:9090`, `[::1]:9090`, `9090`. */
function addressIn(text: string): { readonly host: string; readonly port: number } {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    throw new FlagError(`--listen is ${text}; give a host and a port, such as 127.0.0.1:9090`);
  return { host: host.replace(/^\[|\]$/g, ''), port };
}
