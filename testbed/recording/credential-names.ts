import { SCHEMES } from '../schemes/schemes.ts';
import type { Scheme } from '../schemes/scheme.ts';

/** Headers, query parameters and fields of a body by these names hold credentials. Who has a `response_url` may post to it. */
const CREDENTIAL =
  /authorization|cookie|token|secret|passw(?:or)?d|passphrase|credential|bearer|jwt|(?:api|access|write|private|signing)[-_]?key|response[-_]?url/i;
const SIGNATURES = new Set(
  Object.values<Scheme>(SCHEMES).flatMap(({ headers }) => headers.map((name) => name.toLowerCase())),
);
const ALSO_SIGNATURES = /signature|hmac/i;
/** `token_count`, `expiresIn`: a number by such a name is about a credential, and is none. */
const MEASURE = /(?:^|[-_])(?:count|total|limit|size|length|in|at)$|[a-z](?:Count|Total|Limit|Size|Length|In|At)$/;

/** Whether a header carries a signature, of any scheme. */
export function isSignature(name: string): boolean {
  return SIGNATURES.has(name.toLowerCase()) || ALSO_SIGNATURES.test(name);
}

/** Whether a header or a parameter by this name holds a credential; signatures are. */
export function isCredential(name: string): boolean {
  return isSignature(name) || isSecret(name);
}

/** The same without signatures: in a body, a signature is a field like others. */
export function isSecret(name: string): boolean {
  return CREDENTIAL.test(name);
}

/** Whether a number by this name only measures. */
export function isMeasure(name: string): boolean {
  return MEASURE.test(name);
}
