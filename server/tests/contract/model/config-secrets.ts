import { algorithmOf, publicKeyOf, type SecretAlgorithm, standardKey } from '../../../model/shared-secret.ts';
import type { Fields } from './config-kinds.ts';
import type { Settings } from './config-settings.ts';

/** How a destination signs, as its settings say. */
export interface Signing {
  /** Empty for no signature. */
  readonly secret: string;
  readonly signature: string;
}

export function signingIn({ config }: Fields): Signing {
  const settings: Settings = Object(config);
  const [secret, signature] = ['sharedSecret', 'signature'].map((key) => settings[key]?.value);
  return {
    secret: typeof secret === 'string' ? secret : '',
    signature: typeof signature === 'string' ? signature : '',
  };
}

/** The destination with another secret. */
export function withSecret(fields: Fields, value: string): Fields {
  const settings: Settings = Object(fields['config']);
  const shape = { display_name: 'Shared Secret', type: 'string' };
  return { ...fields, config: { ...settings, sharedSecret: { ...shape, ...settings['sharedSecret'], value } } };
}

/** A secret of these 32 bytes, in the form of the algorithm. */
export function secretOf(bytes: Uint8Array, algorithm: SecretAlgorithm): string {
  return `${algorithm === 'ed25519' ? 'whsk_' : 'whsec_'}${Buffer.from(bytes).toString('base64')}`;
}

/** The algorithm of a secret that is made: the one that was asked for, else that of the one before. */
export function algorithmFor({ secret, signature }: Signing, wanted: SecretAlgorithm | undefined): SecretAlgorithm {
  return signature === 'standard-webhooks' ? (wanted ?? algorithmOf(secret)) : 'hmac-sha256';
}

/** Of the Ed25519 keys that a destination signs with, that of the previous secret first. */
export function publicKeysOf(fields: Fields): readonly string[] {
  const { secret, signature } = signingIn(fields);
  if (signature !== 'standard-webhooks') return [];
  const { previous_secret: previous = '' } = Object(fields['rotation']);
  return [String(previous), secret].flatMap((each) => {
    const { algorithm, key } = standardKey(each);
    return algorithm === 'ed25519' ? [publicKeyOf(key)] : [];
  });
}
