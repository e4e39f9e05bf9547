import type { SchemeChoice } from '../schemes/schemes.ts';
import { FlagError, given, readValues, refuseStray, textOf } from './flag-values.ts';
import type { FlagKind, Given } from './flag-values.ts';
import { readScheme, SCHEME_FLAGS, secretFor } from './scheme-flag.ts';

export const REPLAY_FLAGS = {
  to: 'text',
  secret: 'text',
  ...SCHEME_FLAGS,
  json: 'switch',
  help: 'switch',
} as const satisfies Record<string, FlagKind>;

export interface ReplayFlags {
  readonly file: string;
  readonly to: string;
  /** Each request is signed anew with it. */
  readonly secret?: string;
  readonly scheme?: SchemeChoice;
  readonly json: boolean;
  readonly help: boolean;
}

/** What follows the word `replay`: a file, and where its requests go. */
export function readReplayFlags(args: readonly string[]): ReplayFlags {
  const { values, words } = readValues(args, REPLAY_FLAGS, 1);
  const { json, help } = values;
  const common = { json: json !== undefined, help: help !== undefined };
  if (common.help) return { file: '', to: '', ...common };
  const [file = ''] = words;
  if (file === '') throw new FlagError('replay has no file; write replay <file> --to <url>');
  if (values.secret === undefined)
    refuseStray(values, ['scheme'], 'is for signing anew; add --secret, or leave it out');
  const secret = textOf(values.secret);
  if (secret === '') throw new FlagError('--secret is empty; leave it out to send what was recorded');
  const scheme = readScheme(values);
  const signing = { ...given('secret', secretFor(secret, scheme, 'sign')), ...given('scheme', scheme) };
  return { file, to: readUrl(values.to), ...signing, ...common };
}

function readUrl([value]: Given = []): string {
  if (typeof value !== 'string') throw new FlagError('--to is missing; give the URL that the requests go to');
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
  throw new FlagError(`--to must be an http or https URL, got ${value}`);
}
