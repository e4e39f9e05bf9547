import { spellingsOfSecret } from '../model/shared-secret.ts';
import { createSearch, SHORTEST } from './secret-search.ts';
import { patternsOf } from './spellings.ts';
import type { Target } from './target.ts';

const MASK = '[masked]';

/** A text without what must not be shown. */
export type Redact = (text: string) => string;

type Secrets = Pick<Target, 'webhooks' | 'sharedSecret' | 'previous'>;

/**
 * Masks what a receiver may have sent back of the request: the shared secrets, the values of static headers, and what
 * stands behind the host in the URLs, in every encoding (D-31, SAFE-3). The end of a text that was cut may hold the beginning of a
 * secret. What it takes is made once, and only where there is a text that may hold a secret: most receivers answer with nothing.
 */
export function secretMask(target: Secrets): Redact {
  let search: Redact | undefined;
  return (text) => {
    if (text.length < SHORTEST) return text;
    search ??= createSearch(secretsOf(target).flatMap(patternsOf), MASK);
    return search(text);
  };
}

/** All of a URL that may be shown: many providers keep the secret in the path (SAFE-3). */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? MASK;
}

/** What comes back alone or together, longest first. Shorter values would mask what is no secret. */
function secretsOf({ webhooks, sharedSecret, previous }: Secrets): string[] {
  const headers = webhooks.flatMap((webhook) => Object.values(webhook.headers));
  const shared = [sharedSecret, previous?.secret ?? ''].flatMap(spellingsOfSecret);
  const secrets = [...shared, ...headers.flatMap(headerParts), ...webhooks.flatMap(({ url }) => urlParts(url))];
  return [...new Set(secrets.filter((secret) => secret.length >= SHORTEST))];
}

/** Of `Bearer abc` receivers like to print `abc`; of `Basic …` what it says; of `a=b` the `b`. */
function headerParts(value: string): string[] {
  const [, credentials] = /basic +(\S+)/i.exec(value) ?? [];
  const pair = credentials === undefined ? '' : Buffer.from(credentials, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  const inner = value.split(/[^\w.~+/-]+/).filter((part) => !isOrdinary(part));
  return [value, ...value.split(/\s+/), ...inner, pair, password];
}

function urlParts(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  const { pathname, search, searchParams } = parsed;
  const pairs = search.slice(1).split('&');
  const values = pairs.map((pair) => pair.split('=').slice(1).join('='));
  // A key without a value is one by itself: `?abc`.
  const keys = pairs.filter((pair) => !pair.includes('='));
  const segments = pathname.split('/').flatMap((segment) => [segment, decoded(segment)]);
  return [
    pathname,
    search.slice(1),
    ...keys,
    ...values,
    ...searchParams.values(),
    ...segments.filter((segment) => !isOrdinary(segment)),
  ];
}

/** A plain word: masked wherever it stood, it would make an answer unreadable. The version of an API is too short to be masked. */
function isOrdinary(part: string): boolean {
  return /^[a-z]{1,9}$/.test(part);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
