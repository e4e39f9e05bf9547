import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../http/errors.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { Caller } from './caller.ts';

/** SHA-256 in hex: tokens are long and random, so nothing slower is needed. */
export function hashToken(plaintext: string): string {
  return createHash('sha256').update(plaintext).digest('hex');
}

/**
 * Who sent this `Authorization` header: `Bearer <token>` (CFG-12), or `Basic` with the token as password (D-8). Throws
 * Unauthenticated otherwise, without a word of what was sent.
 */
export async function authenticate(authorization: string | undefined, store: ConfigStore): Promise<Caller> {
  if (authorization === undefined) {
    throw new ApiError('Unauthenticated', 'no access token: send the header `Authorization: Bearer <token>`');
  }
  const plaintext = plaintextOf(authorization);
  if (plaintext === undefined) {
    throw new ApiError('Unauthenticated', 'the Authorization header is neither `Bearer <token>` nor Basic');
  }
  const hash = hashToken(plaintext);
  const token = await store.tokenByHash(hash);
  // The look-up finds by hash; the comparison does not tell by its time how much of one was right.
  if (token === undefined || !timingSafeEqual(Buffer.from(token.hash), Buffer.from(hash))) {
    throw new ApiError('Unauthenticated', 'the access token is not valid');
  }
  return { token };
}

function plaintextOf(authorization: string): string | undefined {
  const [, scheme, credentials] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme === undefined || credentials === undefined) return undefined;
  if (scheme.toLowerCase() === 'bearer') return credentials;
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : pair.slice(colon + 1);
}
