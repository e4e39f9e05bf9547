import { joined } from '../../client/webhooks/bytes.ts';
import { custom, type CustomScheme } from '../schemes/custom.ts';
import type { SecretUse } from '../schemes/scheme.ts';
import { type SchemeChoice, schemeNamed, schemeOf } from '../schemes/schemes.ts';
import { checkSecret } from '../schemes/secret.ts';
import { asFlag, FlagError, type FlagKind, refuseStray, textOf, type Values } from './flag-values.ts';

/** How every command is told the way in which a sender signs. */
export const SCHEME_FLAGS = {
  scheme: 'text',
  'signature-header': 'text',
  algorithm: 'text',
  encoding: 'text',
  prefix: 'text',
  'timestamp-header': 'text',
  payload: 'text',
  'id-header': 'text',
} as const satisfies Record<string, FlagKind>;
export type SchemeFlag = keyof typeof SCHEME_FLAGS;

const CUSTOM = 'custom';
const OF_CUSTOM: readonly SchemeFlag[] = [
  ...(['signature-header', 'algorithm', 'encoding', 'prefix'] as const),
  ...(['timestamp-header', 'payload', 'id-header'] as const),
];
export const SCHEME_FLAG_NAMES: readonly SchemeFlag[] = ['scheme', ...OF_CUSTOM];
const ALGORITHMS = ['SHA-256', 'SHA-1', 'SHA-512'] as const satisfies readonly CustomScheme['algorithm'][];
const ENCODINGS = ['hex', 'base64'] as const satisfies readonly CustomScheme['encoding'][];

/** The scheme by its name, or one of one's own from its flags. Throws a FlagError for what is none. */
export function readScheme(values: Values<SchemeFlag>): SchemeChoice | undefined {
  const name = textOf(values.scheme);
  if (name === CUSTOM) return customScheme(values);
  refuseStray(values, OF_CUSTOM, `describes a scheme of your own; add --scheme ${CUSTOM}, or leave it out`);
  return name === undefined ? undefined : asFlag(() => schemeNamed(name));
}

/** The value of --secret. Throws a FlagError for one that the scheme cannot have, without repeating it. */
export function secretFor(
  secret: string | undefined,
  scheme: SchemeChoice | undefined,
  use: SecretUse,
): string | undefined {
  if (secret !== undefined) asFlag(() => checkSecret('The option secret', secret, schemeOf(scheme), use));
  return secret;
}

function customScheme(values: Values<SchemeFlag>): SchemeChoice {
  const text = (flag: SchemeFlag): string | undefined => {
    const value = textOf(values[flag]);
    if (value === '') throw new FlagError(`--${flag} is empty; give it a value, or leave it out`);
    return value;
  };
  const [header, timestamp, id] = [text('signature-header'), text('timestamp-header'), text('id-header')];
  if (header === undefined)
    throw new FlagError(`--scheme ${CUSTOM} needs --signature-header <name>: the header that carries the signature`);
  const [prefix, payload] = [text('prefix'), payloadOf(text('payload'), timestamp !== undefined)];
  return asFlag(() =>
    custom({
      header,
      algorithm: oneOf('algorithm', text('algorithm'), ALGORITHMS),
      encoding: oneOf('encoding', text('encoding'), ENCODINGS),
      ...(prefix === undefined ? {} : { prefix }),
      ...(timestamp === undefined ? {} : { timestamp: { header: timestamp } }),
      ...(payload === undefined ? {} : { payload }),
      ...(id === undefined ? {} : { id: { header: id } }),
    }),
  );
}

/** `sha256`, `SHA-256`; the first of them by default. */
function oneOf<T extends string>(flag: SchemeFlag, text: string | undefined, known: readonly [T, ...T[]]): T {
  if (text === undefined) return known[0];
  const found = known.find((name) => plain(name) === plain(text));
  if (found !== undefined) return found;
  throw new FlagError(`--${flag} is ${text}; give one of ${known.join(', ')}`);
}

function plain(name: string): string {
  return name.toLowerCase().replace('-', '');
}

/** `{timestamp}.{body}`: the bytes of each in its place. What does not hold the body would sign any body. */
function payloadOf(template: string | undefined, isTimed: boolean): CustomScheme['payload'] {
  if (template === undefined) return undefined;
  const pieces = template.split(/(\{\w+\})/);
  const names = pieces.filter((piece) => /^\{\w+\}$/.test(piece));
  const unknown = names.find((name) => !['{body}', '{timestamp}', '{url}'].includes(name));
  if (unknown !== undefined)
    throw new FlagError(`--payload knows no ${unknown}; there are {body}, {timestamp} and {url}`);
  if (!names.includes('{body}'))
    throw new FlagError(
      `--payload is ${template}, without {body}: it would sign any body; write {body} where it stands`,
    );
  if (names.includes('{timestamp}') && !isTimed)
    throw new FlagError('--payload has a {timestamp}; say with --timestamp-header which header carries it');
  return ({ body, timestamp, url }) => {
    const parts = new Map<string, string | Uint8Array>([
      ['{body}', body],
      ['{timestamp}', timestamp],
      ['{url}', url],
    ]);
    return joined(pieces.map((piece) => parts.get(piece) ?? piece));
  };
}
