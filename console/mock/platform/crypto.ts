import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { BrowserBuffer } from './buffer.ts';

const HASHES = { sha1, sha256 } as const;
type Algorithm = keyof typeof HASHES;

/** As much of `node:crypto` as the router's operations use. Web Crypto answers later, and they cannot wait. */
export function createHash(algorithm: Algorithm): Digest {
  return new Digest(HASHES[algorithm].create());
}

export function createHmac(algorithm: Algorithm, key: string | Uint8Array): Digest {
  return new Digest(hmac.create(HASHES[algorithm], typeof key === 'string' ? BrowserBuffer.from(key) : key));
}

/** In hex. */
export function hash(algorithm: Algorithm, data: string | Uint8Array): string {
  return createHash(algorithm).update(data).digest('hex');
}

interface Running {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

class Digest {
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
  }

  update(data: string | Uint8Array): this {
    this.#running.update(typeof data === 'string' ? BrowserBuffer.from(data) : data);
    return this;
  }

  digest(): BrowserBuffer;
  digest(encoding: 'hex' | 'base64' | 'base64url'): string;
  digest(encoding?: 'hex' | 'base64' | 'base64url'): string | BrowserBuffer {
    const bytes = BrowserBuffer.from(this.#running.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

export function randomBytes(count: number): BrowserBuffer {
  return BrowserBuffer.from(crypto.getRandomValues(new Uint8Array(count)));
}

export function randomInt(from: number, to?: number): number {
  const [least, most] = to === undefined ? [0, from] : [from, to];
  return least + Math.floor(Math.random() * (most - least));
}

export function randomUUID(): string {
  return crypto.randomUUID();
}

export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  return BrowserBuffer.from(one).equals(other);
}

/** Keys need a router. */
export function createPublicKey(): never {
  throw new Error('keys are not read here: use a router');
}

export const createPrivateKey = createPublicKey;
export const sign = createPublicKey;
