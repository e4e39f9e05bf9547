import { randomInt } from 'node:crypto';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random text that is safe in every place an id or a key is used; of `draw`, from a number on and below another. */
export function lettersAndDigits(length: number, draw: (from: number, to: number) => number = randomInt): string {
  return Array.from({ length }, () => LETTERS_AND_DIGITS.charAt(draw(0, LETTERS_AND_DIGITS.length))).join('');
}
