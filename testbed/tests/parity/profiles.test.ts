import { expect, test } from 'vitest';
import { ArrayInbox, inboxOf, type OpenProfiles } from '../../../server/tests/conformance/profile-place.ts';
import { checkProfileFact, PROFILE_FACTS } from '../../../server/tests/conformance/profiles.ts';
import { SimpleProfiles } from '../../stand-in/profiles.ts';

/** In memory: reopened it is the same. */
const open: OpenProfiles = async () => {
  const inbox = new ArrayInbox();
  const profiles = new SimpleProfiles(inbox);
  return { profiles, ...inboxOf(inbox), reopen: async () => profiles, end: () => Promise.resolve() };
};

/** It merges no users, what came without a user id is nobody's, and what no test fills is never full, tidied or slow. */
const LEFT_OUT: readonly string[] = [
  'AUD-7: an id that ends in half of a character is one, told as it can be written',
  'AUD-7, check 9: what an anonymous id did before it was seen with a user counts for the user',
  'AUD-7, check 10: two users of one device stay two, each with their own hours',
  'AUD-7: within an hour the user who came last has an anonymous id, by the least time of each',
  'AUD-7: of users seen at the same moment the greater id by UTF-8 has an anonymous id from then on',
  'AUD-7, check 11: aliases a to b, b to a and a to b make one profile, told under the last one',
  'AUD-7: a chain of aliases is one profile, whichever came first',
  'AUD-7: an alias brings what its former id did while it was anonymous',
  'AUD-7: a merged profile has the later trait of each, and those of its anonymous ids at their hours',
  'AUD-7: ids of no person, and the 101st of one, are refused and counted',
  'a value or a trait of more than 4 KB, a name of more than 200 characters and the 201st trait are not kept',
  'AUD-6: of whose tiles there are more than 2 MB, the value is known, and the tiles are not told',
  'check 12: of two members that merge the one it is told under stays, and the other has left',
  'AUD-9: an erased user is gone in all ids that it merged with, from profiles, tiles and results of every run',
  'AUD-9: of a device that was shared, the hours of the other user stay',
  'SAFE-2: what takes too long to decide is not counted, and told; all else of the event counts',
  'SAFE-2: who is erased is gone from events that take long too, and what of them was undecided is told',
  'SAFE-2: a fold ends where events take long, and what is left comes with the next',
  'tidying removes tiles of no measure and of no window, a part at a time, and nothing else',
  'tidying removes a space that ended, and results of computations that are gone',
];

test.each(PROFILE_FACTS)('what the profiles of the stand-in leave out is known: $title', async (fact) => {
  const isKept = await checkProfileFact(fact, open).then(
    () => true,
    () => false,
  );
  expect(isKept).toBe(!LEFT_OUT.includes(fact.title));
});
