import { importSPKI, decodeProtectedHeader, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Call, Handler } from '../http/contract.ts';
import type { Clock } from '../ports/clock.ts';
import { type AccessTokens, TOKEN_LIFE_S } from './access-tokens.ts';
import type { Caller } from './caller.ts';
import { OauthError } from './oauth-error.ts';
import type { Source } from './source.ts';
import type { KeyPorts } from './write-key.ts';

export interface TokenPorts extends KeyPorts {
  readonly clock: Clock;
  readonly accessTokens: AccessTokens;
}

/** Clocks of senders may be off by this; SDKs correct theirs by the `Date` of our answers. */
const TOLERANCE_S = 60;

/** So long after its making an assertion is taken at most, whatever it says itself. */
const MOST_AGE = '1h';

const ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const;

/** Trades an assertion that is signed with a key of its source for an access token (RFC 7523). */
export function tokenHandler(ports: TokenPorts): Handler<operations['token'], Caller> {
  return async ({ body, caller }: Call<operations['token'], Caller>) => {
    const { client_assertion: assertion } = body;
    const { keyId, algorithm, clientId } = claimsOf(assertion);
    const source = await ports.config.sourceByWriteKey(clientId);
    const key = source?.oauth_keys?.find(({ key_id }) => key_id === keyId);
    if (source === undefined || key === undefined) {
      throw new OauthError('invalid_client', 'iss is no write key of a source with an oauth_key of this kid');
    }
    const payload = await verified(assertion, { key: key.public_key, algorithm, now: ports.clock.now() });
    refuseOtherAudience(payload, caller.host);
    return {
      access_token: await ports.accessTokens.issue(source satisfies Source, keyId),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFE_S,
      scope: 'tracking_api:write',
    };
  };
}

interface Claims {
  readonly keyId: string;
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly clientId: string;
}

/** What an assertion says before anything of it is believed. */
function claimsOf(assertion: string): Claims {
  const { header, payload } = decoded(assertion);
  const algorithm = ALGORITHMS.find((known) => known === header.alg);
  if (algorithm === undefined) throw malformed(`its alg must be one of ${ALGORITHMS.join(', ')}`);
  if (typeof header.kid !== 'string') throw malformed('it has no kid');
  if (payload.sub === undefined || (payload.iss !== undefined && payload.iss !== payload.sub)) {
    throw malformed('its sub, and iss where it has one, must be a write key');
  }
  if (payload.exp === undefined) throw malformed('it has no exp');
  return { keyId: header.kid, algorithm, clientId: payload.sub };
}

function decoded(assertion: string): { header: ReturnType<typeof decodeProtectedHeader>; payload: JWTPayload } {
  try {
    return { header: decodeProtectedHeader(assertion), payload: decodeJwt(assertion) };
  } catch (cause) {
    throw malformed('it is no JWT', cause);
  }
}

function malformed(reason: string, cause?: unknown): OauthError {
  return new OauthError('invalid_request', `the client_assertion cannot be used: ${reason}`, { cause });
}

interface Proof {
  /** In PEM. */
  readonly key: string;
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly now: number;
}

async function verified(assertion: string, { key, algorithm, now }: Proof): Promise<JWTPayload> {
  try {
    const options = { currentDate: new Date(now), clockTolerance: TOLERANCE_S, maxTokenAge: MOST_AGE };
    return (await jwtVerify(assertion, await importSPKI(key, algorithm), { ...options, algorithms: [algorithm] }))
      .payload;
  } catch (cause) {
    // The words that SDKs look for, to correct their clock and try again.
    if (cause instanceof Error && /"(?:exp|iat|nbf)" claim/.test(cause.message)) {
      throw new OauthError('invalid_request', 'the client_assertion is expired, or used before it was issued', {
        cause,
      });
    }
    throw new OauthError('invalid_client', 'the client_assertion is not signed with the key that kid names', { cause });
  }
}

/** An assertion that was made for another server must do nothing here. TLS ends before us, so the host alone counts. */
function refuseOtherAudience({ aud = [] }: JWTPayload, host: string): void {
  const audiences = typeof aud === 'string' ? [aud] : aud;
  if (audiences.some((audience) => URL.parse(audience)?.host === host)) return;
  throw new OauthError('invalid_client', `aud must be the address that this request went to, https://${host}`);
}
