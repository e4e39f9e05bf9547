/** How senders sign webhooks: their names, one's own, and requests signed as they sign. */
export { custom } from './custom.ts';
export type { CustomScheme } from './custom.ts';
export type { Scheme, SignatureCheck, WrongSignature } from './scheme.ts';
export { schemeOf, SCHEMES } from './schemes.ts';
export type { SchemeChoice, SchemeName } from './schemes.ts';
export { signedRequest } from './signed-request.ts';
export type { SignedRequest, SignedRequestOptions } from './signed-request.ts';
