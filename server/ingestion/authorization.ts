/**
 * The write keys that an `Authorization: Basic` header can mean, the likeliest first; none for any other header: a Bearer
 * token says who sends, and the key then stands in the body.
 *
 * Senders put the key in the place of the user name, with or without the colon behind it. A key may hold colons itself
 * (D-10), so the whole text counts before the part that HTTP calls the user name: with the latter first, events for
 * `id:secret` would go to whoever owns the key `id`.
 */
export function keysInHeader(authorization: string): string[] {
  const [, encoded] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const [user = ''] = text.split(':', 1);
  const keys = [text.endsWith(':') ? text.slice(0, -1) : text, text, user];
  return user === '' ? [] : [...new Set(keys)];
}

/** The token in an `Authorization: Bearer` header. */
export function tokenInHeader(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}
