import { FlagError, readValues } from './flag-values.ts';
import type { FlagKind, Given } from './flag-values.ts';

export const REPLAY_FLAGS = { to: 'text', json: 'switch', help: 'switch' } as const satisfies Record<string, FlagKind>;

export interface ReplayFlags {
  readonly file: string;
  readonly to: string;
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
  return { file, to: readUrl(values.to), ...common };
}

function readUrl([value]: Given = []): string {
  if (typeof value !== 'string') throw new FlagError('--to is missing; give the URL that the requests go to');
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
  throw new FlagError(`--to must be an http or https URL, got ${value}`);
}
