import { createPublicKey, type KeyObject } from 'node:crypto';
import type { components } from '../../../generated/config-api.d.ts';
import { ApiError } from '../../http/errors.ts';

type OauthKeys = components['schemas']['OauthKeys'];

const RSA_BITS = 2_048;

/** The keys as they were sent, once each of them is one that an assertion can be checked with. */
export function checkedOauthKeys(keys: OauthKeys): OauthKeys {
  const ids = new Set(keys.map(({ key_id }) => key_id));
  if (ids.size < keys.length) throw new ApiError('InvalidArgument', 'source.oauth_keys holds a key_id twice');
  for (const [index, { public_key }] of keys.entries()) {
    const fault = faultOf(public_key);
    if (fault !== undefined) throw new ApiError('InvalidArgument', `source.oauth_keys[${index}].public_key ${fault}`);
  }
  return keys;
}

function faultOf(pem: string): string | undefined {
  if (!pem.trim().startsWith('-----BEGIN PUBLIC KEY-----')) return 'is no PEM of a public key (BEGIN PUBLIC KEY)';
  const key = parse(pem);
  if (key === undefined) return 'cannot be read as a public key';
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS) return undefined;
  return namedCurve === 'prime256v1' ? undefined : 'is neither RSA of 2048 bits or more nor EC P-256';
}

function parse(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
