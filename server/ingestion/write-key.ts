import { ApiError } from '../http/errors.ts';
import type { ConfigStore, Resources } from '../ports/config-store.ts';

export type Source = Resources['sources'];

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

/** A batch has its key at its top, a single call within itself: the same place in both. */
export function keyInBody(body: { readonly writeKey?: unknown }): string | undefined {
  return typeof body.writeKey === 'string' && body.writeKey !== '' ? body.writeKey : undefined;
}

/** The source that a key belongs to; throws Unauthenticated where there is none (D-41). The key itself is never shown. */
export async function sourceOf(config: ConfigStore, writeKey: string | undefined): Promise<Source> {
  if (writeKey === undefined) {
    throw new ApiError(
      'Unauthenticated',
      'no write key: send it as the user name of an Authorization: Basic header, or as writeKey in the body',
    );
  }
  const source = await config.sourceByWriteKey(writeKey);
  if (source === undefined) {
    throw new ApiError(
      'Unauthenticated',
      'the write key belongs to no source: compare it with write_keys of the source',
    );
  }
  return source;
}
