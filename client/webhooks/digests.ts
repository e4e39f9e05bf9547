import type { Mistake } from './mistake.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Digest {
  readonly digest: Uint8Array;
  readonly mistakes: readonly Mistake[];
}

/** The hash that gives digests of this length, and what is wrong with taking it. */
const HASHES: ReadonlyMap<number, readonly [hash: string, mistakes: readonly Mistake[]]> = new Map([
  [20, ['SHA-1', []]],
  [32, ['SHA-256', ['hash-sha256']]],
  [48, ['SHA-384', ['hash-sha512']]],
  [64, ['SHA-512', ['hash-sha512']]],
]);

/** Every way in which a digest of this length is made of a secret and a body: right first, then the wrong ones. */
export async function digestsFor(length: number, secret: Bytes, body: Bytes): Promise<readonly Digest[]> {
  const known = HASHES.get(length);
  if (known === undefined) return [];
  const [hash, mistakes] = known;
  const plain: readonly Mistake[] = [...mistakes, 'hash-plain'];
  return [
    { digest: await hmac(hash, secret, body), mistakes },
    // Web Crypto takes no empty key.
    ...(body.length === 0
      ? []
      : [{ digest: await hmac(hash, body, secret), mistakes: [...mistakes, 'arguments-swapped' as const] }]),
    { digest: await plainHash(hash, secret, body), mistakes: plain },
    { digest: await plainHash(hash, body, secret), mistakes: plain },
    { digest: await plainHash(hash, body), mistakes: plain },
  ];
}

export async function hmac(hash: string, key: Bytes, message: Bytes): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
}

export async function plainHash(hash: string, ...parts: readonly Bytes[]): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(hash, await new Blob([...parts]).arrayBuffer()));
}
