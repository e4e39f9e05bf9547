import { lettersAndDigits } from '../letters-and-digits.ts';

/** The id of an event that came without one: `api-` and 27 letters and digits, as those of the field look. */
export function newMessageId(): string {
  return `api-${lettersAndDigits(27)}`;
}
