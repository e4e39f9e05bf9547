/**
 * The write key in an `Authorization: Basic` header, its user name, with or without the colon; undefined for any other
 * header: a Bearer token says who sends, and the key then stands in the body.
 */
export function keyInHeader(authorization: string): string | undefined {
  const [, encoded] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  return user === '' ? undefined : user;
}

/** The token in an `Authorization: Bearer` header. */
export function tokenInHeader(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}
