import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';

/** What `webhook-signature` is made with: the form of the secret says it, as Standard Webhooks has it. */
export type StandardKey =
  | { readonly algorithm: 'hmac-sha256'; readonly key: Buffer }
  | { readonly algorithm: 'ed25519'; readonly key: KeyObject };

export type SecretAlgorithm = StandardKey['algorithm'];

const SYMMETRIC = 'whsec_';
const PRIVATE = 'whsk_';
const PUBLIC = 'whpk_';

/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** By the form of the secret alone: whether it can be used is another matter. */
export function algorithmOf(secret: string): SecretAlgorithm {
  return secret.startsWith(PRIVATE) ? 'ed25519' : 'hmac-sha256';
}

/** Why a secret cannot sign by Standard Webhooks, without the secret; undefined when it can. */
export function faultOfStandardSecret(secret: string): string | undefined {
  const bytes = bytesIn(secret);
  if (secret.startsWith(PUBLIC)) return 'is a public key (whpk_): requests are signed with the private one (whsk_)';
  if (secret.startsWith(SYMMETRIC)) {
    if (bytes === undefined) return 'must hold base64 behind whsec_';
    return bytes.length >= 24 && bytes.length <= 64 ? undefined : `must hold 24 to 64 bytes, got ${bytes.length}`;
  }
  if (!secret.startsWith(PRIVATE)) return undefined;
  if (bytes?.length !== 32 && bytes?.length !== 64) return 'must hold 32 or 64 bytes in base64 behind whsk_';
  // The longer form ends with the public key.
  const isPair = bytes.length === 32 || rawPublicKey(privateKey(bytes)).equals(bytes.subarray(32));
  return isPair ? undefined : 'must hold an Ed25519 key: its two halves do not belong together';
}

/** The key of a secret without a fault; a text in no form of the standard is the key itself. */
export function standardKey(secret: string): StandardKey {
  const bytes = bytesIn(secret);
  if (secret.startsWith(PRIVATE) && bytes !== undefined) return { algorithm: 'ed25519', key: privateKey(bytes) };
  return { algorithm: 'hmac-sha256', key: bytes ?? Buffer.from(secret, 'utf8') };
}

/** `whpk_…`, which anybody may know. */
export function publicKeyOf(key: KeyObject): string {
  return PUBLIC + rawPublicKey(key).toString('base64');
}

/** Of 32 bytes that nobody can guess. */
export function newSharedSecret(algorithm: SecretAlgorithm, drawn: Uint8Array = randomBytes(32)): string {
  const bytes = Buffer.from(drawn);
  if (algorithm === 'hmac-sha256') return SYMMETRIC + bytes.toString('base64');
  const pair = Buffer.concat([bytes, rawPublicKey(privateKey(bytes))]);
  return PRIVATE + pair.toString('base64');
}

/** Every way in which a secret may be written that is more than an encoding of its text. */
export function spellingsOfSecret(secret: string): string[] {
  const bytes = bytesIn(secret);
  if (bytes === undefined) return [secret];
  const halves = bytes.length === 64 ? [bytes.subarray(0, 32)] : [];
  const parts = [bytes, ...halves].flatMap((part) =>
    (['hex', 'base64', 'base64url'] as const).flatMap((encoding) => {
      const text = part.toString(encoding);
      return [text, text.replace(/=+$/, '')];
    }),
  );
  return [secret, secret.slice(secret.indexOf('_') + 1), ...parts];
}

/** What stands behind the prefix; undefined without a prefix, or where it is no base64. */
function bytesIn(secret: string): Buffer | undefined {
  const prefix = [SYMMETRIC, PRIVATE].find((one) => secret.startsWith(one));
  if (prefix === undefined) return undefined;
  const text = secret.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}

function privateKey(bytes: Buffer): KeyObject {
  const key = Buffer.concat([PKCS8, bytes.subarray(0, 32)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function rawPublicKey(key: KeyObject): Buffer {
  return fromUrlText(createPublicKey(key).export({ format: 'jwk' }).x);
}

function fromUrlText(text = ''): Buffer {
  return Buffer.from(text, 'base64url');
}
