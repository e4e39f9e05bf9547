import { randomInt } from 'node:crypto';

export const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random text that is safe in every place an id or a key is used. */
export function lettersAndDigits(length: number): string {
  return Array.from({ length }, () => LETTERS_AND_DIGITS.charAt(randomInt(LETTERS_AND_DIGITS.length))).join('');
}
