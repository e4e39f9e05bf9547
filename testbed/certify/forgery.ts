import type { PostRequest } from '../../server/ports/transport.ts';
import type { Scheme } from '../schemes/scheme.ts';

/** The last long run of hex or base64: what stands before it says which kind of signature it is. */
const DIGEST = /[A-Za-z0-9+/]{20,}={0,2}(?!.*[A-Za-z0-9+/]{20,})/s;

/** The digest of a signed request, as text. */
export function digestIn(request: PostRequest, scheme: Scheme): string {
  return DIGEST.exec(request.headers[headerIn(request, scheme)] ?? '')?.[0] ?? '';
}

/** The request with another digest. */
export function withDigest(request: PostRequest, scheme: Scheme, change: (digest: string) => string): PostRequest {
  return withSignature(request, scheme, (value) => value.replace(DIGEST, change));
}

/** The request with another value of its signature's header, or without it. */
export function withSignature(
  request: PostRequest,
  scheme: Scheme,
  change: (value: string) => string | undefined,
): PostRequest {
  const name = headerIn(request, scheme);
  const { [name]: value = '', ...headers } = request.headers;
  const changed = change(value);
  return { ...request, headers: changed === undefined ? headers : { ...headers, [name]: changed } };
}

function headerIn({ headers }: PostRequest, scheme: Scheme): string {
  return scheme.headers.find((name) => Object.hasOwn(headers, name)) ?? scheme.headers[0];
}
