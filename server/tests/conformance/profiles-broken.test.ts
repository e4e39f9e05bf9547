import { expect, test } from 'vitest';
import { PROFILE_MISTAKES } from '../support/broken-profiles.ts';
import { memoryProfilesPlace, type OpenProfiles } from './profile-place.ts';
import { checkProfileFact, PROFILE_FACTS } from './profiles.ts';

/** Mistakes that can only be made of the whole place. */
const OF_PLACES: Readonly<Record<string, Readonly<Record<string, OpenProfiles>>>> = {
  'ING-10: what was folded and computed is there after reopening, and is not folded again': {
    'answer before anything is on disk': async () => {
      const [place, next] = [await memoryProfilesPlace(), await memoryProfilesPlace()];
      const end = async () => void (await Promise.all([place.end(), next.end()]));
      return { ...place, reopen: () => next.reopen(), end };
    },
  },
  'what an inbox catches that was restored from an older backup is folded': {
    'do not look at the inbox when they are opened': async () => {
      const place = await memoryProfilesPlace();
      return { ...place, reopen: () => Promise.resolve(place.profiles) };
    },
  },
};

const broken = [
  ...Object.entries(PROFILE_MISTAKES).flatMap(([title, mistakes]) =>
    Object.entries(mistakes).map(
      ([mistake, spoil]) => [mistake, title, (): ReturnType<OpenProfiles> => memoryProfilesPlace(spoil)] as const,
    ),
  ),
  ...Object.entries(OF_PLACES).flatMap(([title, mistakes]) =>
    Object.entries(mistakes).map(([mistake, open]) => [mistake, title, open] as const),
  ),
];

test.each(broken)('profiles that %s fail the fact: %s', async (_mistake, title, open) => {
  const fact = PROFILE_FACTS.find((one) => one.title === title);
  if (fact === undefined) throw new Error(`no fact is called ${title}`);
  const kept = checkProfileFact(fact, open).then(() => true);
  expect(await kept.catch(() => false)).toBe(false);
});

test('every fact of the suite is failed by some of these', () => {
  const failed = new Set(broken.map(([, title]) => title));
  expect(PROFILE_FACTS.map(({ title }) => title).filter((title) => !failed.has(title))).toEqual([]);
});
