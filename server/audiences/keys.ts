import { wordsOf } from '../fql/functions.ts';

/**
 * The trait that an audience or a computed trait is told as: the snake_case form of its name (AUD-2). Undefined for a name
 * without letters.
 */
export function keyOf(displayName: string): string | undefined {
  const key = wordsOf(displayName.normalize('NFC')).join('_');
  return /\p{L}/u.test(key) ? key : undefined;
}
