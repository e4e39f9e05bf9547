import { lettersAndDigits } from '../random-token.ts';

/** The id of an event that came without one: `api-` and 27 letters and digits, as those of the field look. */
export function newMessageId(): string {
  // Joined, as in iso-text.ts: a text in pieces makes the JSON of its event twice as dear.
  return ['api-', lettersAndDigits(27)].join('');
}
