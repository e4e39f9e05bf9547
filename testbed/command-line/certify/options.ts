import type { SchemeChoice } from '../../schemes/schemes.ts';
import { FlagError, type FlagKind, type Given, given, readValues, refuseStray, textOf } from '../flag-values.ts';
import { readScheme, SCHEME_FLAG_NAMES, SCHEME_FLAGS } from '../scheme-flag.ts';

export const CERTIFY_FLAGS = {
  url: 'text',
  secret: 'text',
  ...SCHEME_FLAGS,
  event: 'text',
  'id-field': 'text',
  header: 'list',
  observer: 'text',
  'allow-remote': 'switch',
  junit: 'text',
  html: 'text',
  statement: 'text',
  key: 'text',
  verify: 'text',
  'public-key': 'text',
  openssl: 'text',
  json: 'switch',
  help: 'switch',
} as const satisfies Record<string, FlagKind>;
type Flag = keyof typeof CERTIFY_FLAGS;

/** What only the one mode knows. */
const OF_RUN: readonly Flag[] = [
  ...(['url', 'secret', 'event', 'id-field', 'header'] as const),
  ...SCHEME_FLAG_NAMES,
  ...(['observer', 'allow-remote', 'junit', 'html', 'statement', 'key'] as const),
];
const OF_VERIFY: readonly Flag[] = ['public-key', 'openssl'];

export interface RunOptions {
  readonly mode: 'run';
  readonly url: string;
  readonly secret: string;
  readonly scheme?: SchemeChoice;
  /** A file with an event that the receiver accepts. */
  readonly event?: string;
  readonly idField?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly observer?: string;
  readonly allowRemote: boolean;
  /** Files to write. */
  readonly junit?: string;
  readonly html?: string;
  readonly statement?: string;
  /** A file with a private ed25519 key in PEM. */
  readonly key?: string;
  readonly json: boolean;
}

export interface VerifyOptions {
  readonly mode: 'verify';
  readonly file: string;
  readonly publicKey?: string;
  /** The folder for what openssl needs. */
  readonly openssl?: string;
  readonly json: boolean;
}

/** Throws a FlagError that names the flag; the value of --secret is never repeated. */
export function readOptions(args: readonly string[]): RunOptions | VerifyOptions | { readonly mode: 'help' } {
  const { values } = readValues(args, CERTIFY_FLAGS);
  const text = (flag: Flag): string | undefined => {
    const value = textOf(values[flag]);
    if (value === '') throw new FlagError(`--${flag} is empty; give it a value, or leave it out`);
    return value;
  };
  if (values.help !== undefined) return { mode: 'help' };
  const json = values.json !== undefined;
  const file = text('verify');
  if (file !== undefined) {
    refuseStray(values, OF_RUN, 'belongs to a run against a receiver; leave it out beside --verify');
    const [publicKey, openssl] = [text('public-key'), text('openssl')];
    return { mode: 'verify', file, json, ...given('publicKey', publicKey), ...given('openssl', openssl) };
  }
  refuseStray(values, OF_VERIFY, 'belongs to --verify <file>; add that, or leave it out');
  return {
    mode: 'run',
    url: needed('url', text('url'), 'give the URL of the receiver, such as http://127.0.0.1:3000/hooks'),
    secret: needed('secret', text('secret'), 'give the shared secret of the receiver'),
    ...given('scheme', readScheme(values)),
    headers: headersIn(values.header ?? []),
    allowRemote: values['allow-remote'] !== undefined,
    json,
    ...given('event', text('event')),
    ...given('idField', text('id-field')),
    ...given('observer', text('observer')),
    ...given('junit', text('junit')),
    ...given('html', text('html')),
    ...given('statement', text('statement')),
    ...given('key', text('key')),
  };
}

/** `X-GitHub-Event: push`, each; a value may be a secret, and is never repeated. */
function headersIn(texts: Given): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(String(text)) ?? [];
      if (name === undefined || value === undefined)
        throw new FlagError('--header needs a name, a colon and a value, such as "X-GitHub-Event: push"');
      return [name, value];
    }),
  );
}

function needed(flag: string, value: string | undefined, wayOut: string): string {
  if (value !== undefined) return value;
  throw new FlagError(`--${flag} is missing; ${wayOut}`);
}
