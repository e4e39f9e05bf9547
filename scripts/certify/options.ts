import { parseArgs } from 'node:util';

const FLAGS = {
  url: { type: 'string' },
  secret: { type: 'string' },
  observer: { type: 'string' },
  'allow-remote': { type: 'boolean' },
  junit: { type: 'string' },
  html: { type: 'string' },
  statement: { type: 'string' },
  key: { type: 'string' },
  verify: { type: 'string' },
  'public-key': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export interface RunOptions {
  readonly mode: 'run';
  readonly url: string;
  readonly secret: string;
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
  readonly json: boolean;
}

/** Throws an error whose message names the flag; the value of --secret is never repeated. */
export function readOptions(args: readonly string[]): RunOptions | VerifyOptions | { readonly mode: 'help' } {
  const { values } = parseArgs({ args: [...args], options: FLAGS });
  if (values.help === true) return { mode: 'help' };
  const json = values.json === true;
  if (values.verify !== undefined) {
    const publicKey = values['public-key'];
    return { mode: 'verify', file: values.verify, json, ...(publicKey === undefined ? {} : { publicKey }) };
  }
  const { url, secret, observer, junit, html, statement, key } = values;
  if (url === undefined)
    throw new RangeError('--url is missing; give the URL of the receiver, such as http://127.0.0.1:3000/hooks');
  if (secret === undefined || secret === '')
    throw new RangeError('--secret is missing; give the shared secret of the receiver');
  return {
    mode: 'run',
    url,
    secret,
    allowRemote: values['allow-remote'] === true,
    json,
    ...(observer === undefined ? {} : { observer }),
    ...(junit === undefined ? {} : { junit }),
    ...(html === undefined ? {} : { html }),
    ...(statement === undefined ? {} : { statement }),
    ...(key === undefined ? {} : { key }),
  };
}
