import { hash, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { SharedState } from '../storage/shared-state.ts';
import type { Source } from './caller.ts';

/** How long a token is good, in seconds; SDKs ask for the next one at half of it. */
export const TOKEN_LIFE_S = 86_400;

const ALGORITHM = 'HS256';
const KEY_BYTES = 32;

/** Makes and checks the tokens by which senders prove who they are. */
export interface AccessTokens {
  issue(source: Source, keyId: string): Promise<string>;
  /** Throws where a source asks for a token and this one does not do. */
  check(source: Source, token: string | undefined): Promise<void>;
}

/**
 * Without storage that others share, the secret lives as long as the process: tokens from before are refused with 511, at
 * which SDKs ask for another one and send again, so nothing is lost by it. With it, all routers have the same, as a sender
 * reaches another one with each request. Their time is steady: whatever the wall is set to, a token lasts its life. A token
 * is good for as long as its source has the key that it was given for.
 */
export function createAccessTokens(clock: Clock, shared?: Pick<SharedState, 'signingKey'>): AccessTokens {
  let known: Uint8Array | undefined;
  const secret = async (): Promise<Uint8Array> =>
    (known ??= shared === undefined ? randomBytes(KEY_BYTES) : await shared.signingKey());
  return {
    issue: async (source, keyId) =>
      new SignJWT({ key: digestOf(source, keyId) })
        .setProtectedHeader({ alg: ALGORITHM, kid: keyId })
        .setSubject(source.name)
        .setExpirationTime(Math.floor(clock.steady() / 1000) + TOKEN_LIFE_S)
        .sign(await secret()),
    async check(source, token) {
      const keys = source.oauth_keys ?? [];
      if (keys.length === 0) return;
      if (token === undefined) throw missing();
      const options = { subject: source.name, algorithms: [ALGORITHM], currentDate: new Date(clock.steady()) };
      const key = await secret();
      const verified = await jwtVerify(token, key, options).catch((cause: unknown) => refused(cause));
      const { kid } = verified.protectedHeader;
      if (!keys.some(({ key_id }) => key_id === kid)) refused();
      // Those of a router of an earlier version say nothing of it, and end within a day.
      const { key: given } = verified.payload;
      if (given !== undefined && given !== digestOf(source, kid)) refused();
    },
  };
}

/** Another public key may come under the same id: whoever had the private key of the one before is not let in by its tokens. */
function digestOf({ oauth_keys: keys = [] }: Source, keyId: string | undefined): string {
  const found = keys.find(({ key_id }) => key_id === keyId);
  return hash('sha256', found?.public_key ?? '', 'base64url');
}

function missing(): ApiError {
  return new ApiError(
    'Unauthenticated',
    'this source requires an access token: get one at /token, and send it as Authorization: Bearer',
  );
}

function refused(cause?: unknown): never {
  throw new ApiError(
    'TokenRefused',
    'the access token has expired, or belongs to another source or key: get a new one at /token',
    {
      cause,
    },
  );
}
