import type { JWTPayload } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { importSPKI } from 'jose/key/import';
import type { operations } from '../../generated/ingestion-api.d.ts';
import type { Call, Handler } from '../http/contract.ts';
import type { Clock } from '../ports/clock.ts';
import { type AccessTokens, TOKEN_LIFE_S } from './access-tokens.ts';
import { type Caller, type KeyPorts, reachedBy, type Source } from './caller.ts';
import { OauthError } from './oauth-error.ts';
import type { UsedAssertions } from './used-assertions.ts';

export interface TokenPorts extends KeyPorts {
  readonly clock: Clock;
  readonly accessTokens: AccessTokens;
  readonly usedAssertions: UsedAssertions;
  /** Where others reach this router; undefined when the operator did not say. */
  readonly publicUrl?: string | undefined;
}

/** Clocks of senders may be off by this; SDKs correct theirs by the `Date` of our answers. */
const TOLERANCE_S = 60;

/** So long after its making an assertion is accepted at most, whatever it says itself. */
const MAX_AGE_S = 3_600;

const ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const;

/** Trades an assertion that is signed with a key of its source for an access token (RFC 7523). */
export function tokenHandler(ports: TokenPorts): Handler<operations['token'], Caller> {
  return async ({ body, caller }: Call<operations['token'], Caller>) => {
    const { client_assertion: assertion } = body;
    const { keyId, algorithm, clientId } = claimsOf(assertion);
    const look = () => keyOf(ports.directory, clientId, keyId);
    // Another router may have been told of it a moment ago (NODE-5).
    const found = look() ?? (await ports.directory.refresh().then(look));
    if (found === undefined) {
      throw new OauthError('invalid_client', 'no source with this write key has an OAuth key with this kid');
    }
    const { source, key } = found;
    const now = ports.clock.now();
    const payload = await verified(assertion, { key: key.public_key, algorithm, now });
    refuseOtherAudience(payload, ports.publicUrl, reachedBy(caller.asked).listener);
    const { exp = 0, iat = 0 } = payload;
    const expiresAt = 1000 * (Math.min(exp, iat + MAX_AGE_S) + TOLERANCE_S);
    if (!(await ports.usedAssertions.use(source.name, { id: idOf(payload, assertion), expiresAt }, now))) {
      throw new OauthError('invalid_client', 'the client_assertion was used before; sign a new one for each request');
    }
    return {
      access_token: await ports.accessTokens.issue(source satisfies Source, keyId),
      token_type: 'Bearer',
      expires_in: TOKEN_LIFE_S,
      scope: 'tracking_api:write',
    };
  };
}

function keyOf(directory: TokenPorts['directory'], clientId: string, keyId: string) {
  const source = directory.sourceByWriteKey(clientId);
  const key = source?.oauth_keys?.find(({ key_id }) => key_id === keyId);
  return source && key && { source, key };
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
  if (algorithm === undefined) throw malformed(`alg must be one of ${ALGORITHMS.join(', ')}`);
  if (typeof header.kid !== 'string') throw malformed('kid is missing');
  if (payload.sub === undefined || (payload.iss !== undefined && payload.iss !== payload.sub)) {
    throw malformed('sub, and iss if present, must be a write key');
  }
  if (payload.exp === undefined) throw malformed('exp is missing');
  return { keyId: header.kid, algorithm, clientId: payload.sub };
}

function decoded(assertion: string): { header: ReturnType<typeof decodeProtectedHeader>; payload: JWTPayload } {
  try {
    return { header: decodeProtectedHeader(assertion), payload: decodeJwt(assertion) };
  } catch (cause) {
    throw malformed('not a JWT', cause);
  }
}

function malformed(reason: string, cause?: unknown): OauthError {
  return new OauthError('invalid_request', `invalid client_assertion: ${reason}`, { cause });
}

interface Proof {
  /** In PEM. */
  readonly key: string;
  readonly algorithm: (typeof ALGORITHMS)[number];
  readonly now: number;
}

async function verified(assertion: string, { key, algorithm, now }: Proof): Promise<JWTPayload> {
  try {
    const options = { currentDate: new Date(now), clockTolerance: TOLERANCE_S, maxTokenAge: MAX_AGE_S };
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

/** Without a `jti`, what was signed stands for it; the signature does not, as one can be written in two ways. */
function idOf({ jti }: JWTPayload, assertion: string): string {
  return jti === undefined ? `text ${assertion.slice(0, assertion.lastIndexOf('.'))}` : `jti ${jti}`;
}

/**
 * An assertion that was made for another server must do nothing here, and the `Host` of a request says only what its
 * sender wants. So `aud` has to be the public URL; without one, the address that the connection itself came to.
 */
function refuseOtherAudience({ aud = [] }: JWTPayload, publicUrl: string | undefined, listener: string): void {
  const audiences = (typeof aud === 'string' ? [aud] : aud).map((audience) => URL.parse(audience));
  const isOwn =
    publicUrl === undefined
      ? (url: URL | null) => url !== null && withAddress(url) === listener
      : (url: URL | null) => url?.origin === new URL(publicUrl).origin;
  if (audiences.some(isOwn)) return;
  const wanted = publicUrl ?? `http://${listener}; set --public-url if this router has another address`;
  throw new OauthError('invalid_client', `aud must be the URL of this router, ${wanted}`);
}

/** The host and port of a URL, by the address where it names this machine. */
function withAddress({ protocol, hostname, port }: URL): string {
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname;
  return `${host}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}
