import type { Random } from '../../../server/ports/random.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const DIGITS = '0123456789';

/** Ids in the forms of the contract, the same ones in each run: they are drawn from a seed, and guard nothing. */
export class Identifiers {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Ten hex digits, as workspaces and sources have them. */
  id(): string {
    return this.#text('0123456789abcdef', 10);
  }

  writeKey(): string {
    return this.#text(LETTERS, 32);
  }

  /** The last segment of the name of a token or a plan. */
  slug(kind: 'access-tokens' | 'tracking-plans'): string {
    return kind === 'tracking-plans' ? `rs_${this.#text(LETTERS, 27)}` : `1${this.#text(DIGITS, 13)}`;
  }

  plaintext(): string {
    return `${this.#text(LETTERS, 43)}.${this.#text(LETTERS, 43)}`;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => Math.floor(this.#random() * 256));
  }

  #text(characters: string, length: number): string {
    return Array.from({ length }, () => characters[Math.floor(this.#random() * characters.length)] ?? '').join('');
  }
}
