import { randomBytes, randomInt } from 'node:crypto';
import { lettersAndDigits } from '../random-token.ts';

/** What ids, keys and tokens are drawn from. */
export interface Draw {
  readonly bytes: (count: number) => Uint8Array;
  /** A whole number from `from` on, and below `to`. */
  readonly number: (from: number, to: number) => number;
}

/** Nobody can guess it. */
const STRONG: Draw = { bytes: randomBytes, number: randomInt };

/** The ids, keys and tokens that the API makes by itself. */
export class NewNames {
  readonly #draw: Draw;

  constructor(draw: Draw = STRONG) {
    this.#draw = draw;
  }

  /** Ten hex digits, as workspaces and sources have them. */
  id(): string {
    return Buffer.from(this.#draw.bytes(5)).toString('hex');
  }

  /** D-10. */
  writeKey(): string {
    return this.#lettersAndDigits(32);
  }

  /** Of tracking plans (CFG-4, D-4), filters, regulations (D-12), audiences and computed traits (D-72). */
  prefixed(prefix: 'rs' | 'df' | 'rg' | 'aud' | 'tra'): string {
    return `${prefix}_${this.#lettersAndDigits(27)}`;
  }

  /** Clients take the id of a token for an integer, so it is one that every language can hold exactly. */
  tokenId(): string {
    return String(this.#draw.number(10 ** 13, 10 ** 14));
  }

  /** Two base64url halves of 43 characters, joined by a dot: 512 random bits. */
  tokenPlaintext(): string {
    return [32, 32].map((count) => Buffer.from(this.#draw.bytes(count)).toString('base64url')).join('.');
  }

  /** What a shared secret is made of. */
  secretBytes(): Uint8Array {
    return this.#draw.bytes(32);
  }

  #lettersAndDigits(length: number): string {
    return lettersAndDigits(length, this.#draw.number);
  }
}
