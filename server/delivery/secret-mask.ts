import type { Target } from './target.ts';

/** Shorter values would mask what is no secret. */
const SHORTEST = 4;
const MASK = '[masked]';

/** A text without what must not be shown. */
export type Redact = (text: string) => string;

/**
 * Masks what a receiver may have sent back of the request: the shared secret, the values of static headers, and what the
 * query strings of the URLs hold (D-31). The end of a text that was cut may hold the beginning of a secret.
 */
export function secretMask(target: Pick<Target, 'webhooks' | 'sharedSecret'>): Redact {
  let secrets: readonly string[] | undefined;
  return (text) => {
    // Most receivers answer with nothing.
    if (text === '') return text;
    secrets ??= secretsOf(target).toSorted((a, b) => b.length - a.length);
    return secrets.reduce((shown, secret) => maskEnd(shown.replaceAll(secret, MASK), secret), text);
  };
}

/** A URL without its query string, fragment and credentials. */
export function plainUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? MASK : parsed.origin + parsed.pathname;
}

function secretsOf({ webhooks, sharedSecret }: Pick<Target, 'webhooks' | 'sharedSecret'>): string[] {
  const values = webhooks.flatMap(({ url, headers }) => [...Object.values(headers), ...queryValues(url)]);
  // Of `Bearer abc` receivers like to print `abc`.
  const parts = [sharedSecret, ...values].flatMap((value) => [value, ...value.split(/\s+/)]);
  const spellings = parts.flatMap((part) => [part, inJson(part), encodeURIComponent(part.toWellFormed())]);
  return [...new Set(spellings.filter((part) => part.length >= SHORTEST))];
}

function queryValues(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  const { search, searchParams } = parsed;
  const raw = search
    .slice(1)
    .split('&')
    .flatMap((pair) => pair.split('=').slice(1).join('='));
  return [search.slice(1), ...raw, ...searchParams.values()];
}

/** As it stands within a string of JSON. */
function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function maskEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + MASK;
  }
  return text;
}
