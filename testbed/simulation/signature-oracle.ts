import { createHmac, createPrivateKey, type KeyObject, sign as signWith } from 'node:crypto';
import type { SignatureSetting } from '../../server/delivery/signatures.ts';
import type { PostRequest } from '../../server/ports/transport.ts';
import type { Simulation } from './simulate.ts';

const SECOND = 1_000;

/** What receivers may hold. */
export interface ValidSecrets {
  readonly secret: string;
  /** Valid as well until then, by the wall. */
  readonly previous?: { readonly secret: string; readonly until: number } | undefined;
}

/** The one before comes first; none where requests are not signed. */
export function secretsAt({ secret, previous }: ValidSecrets, wall: number): readonly string[] {
  if (previous !== undefined && wall < previous.until) return [previous.secret, secret];
  return secret === '' ? [] : [secret];
}

/** What one secret (`whsec_…`, or `whsk_…` of a key pair) makes of a request by Standard Webhooks. */
export type StandardSign = (secret: string, id: string, at: Date, body: Uint8Array) => string;

/** HOOK-22, HOOK-23: whether a request has the signature of each of these secrets, by headers as the setting has it, and no other. */
export function isSignedFor(
  { headers, body }: PostRequest,
  secrets: readonly string[],
  setting: SignatureSetting,
  sign: StandardSign = standardSignature,
): boolean {
  const hex = secrets.map((secret) => createHmac('sha1', secret).update(body).digest('hex'));
  const wantedHex = setting === 'standard-webhooks' ? [] : hex;
  const seenHex = [headers['X-Signature'], headers['X-Signature-Next']].filter((value) => value !== undefined);
  const { 'webhook-id': id = '', 'webhook-timestamp': time, 'webhook-signature': seen = '' } = headers;
  const at = new Date(Number(time) * SECOND);
  const wanted = setting === 'x-signature' ? [] : secrets.map((secret) => sign(secret, id, at, body));
  return seenHex.join(' ') === wantedHex.join(' ') && seen === wanted.join(' ');
}

/** As the specification has it. */
function standardSignature(secret: string, id: string, at: Date, body: Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whs(ec|k)_/, ''), 'base64');
  const signed = Buffer.concat([Buffer.from(`${id}.${at.getTime() / SECOND}.`), body]);
  if (secret.startsWith('whsk_')) return `v1a,${signWith(null, signed, privateKey(key)).toString('base64')}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** Of the private half and the public one. */
function privateKey(pair: Buffer): KeyObject {
  const [d, x] = [pair.subarray(0, 32), pair.subarray(32)].map((half) => half.toString('base64url'));
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: d ?? '', x: x ?? '' }, format: 'jwk' });
}

/** HOOK-22, HOOK-23: each request verifies with every secret that was valid as it was sent. */
export function missigned(simulation: Simulation): string[] {
  const { world, secrets, postsOf } = simulation;
  return [...postsOf].flatMap(([name, posts]) => {
    const { signature = 'x-signature' } = world.targets.get(name) ?? {};
    const wrong = posts.filter((post) => !isSignedFor(post.request, secrets.get(post) ?? [], signature));
    return wrong.map(
      ({ at }) => `${name}: a request ${at - simulation.startedAt} ms in does not verify (${signature})`,
    );
  });
}
