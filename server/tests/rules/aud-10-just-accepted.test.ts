import { expect, test } from 'vitest';
import { startWorld } from '../contract/world.ts';
import { type Api, apiOf, HOME, PRO } from '../support/audience-api.ts';
import { oneProfile } from '../support/one-profile.ts';

/** Profiles beside so many lots of what was accepted just before, and how many of them wait as each read looks. */
function besideLots(lots: number) {
  const [own, seen]: [ReturnType<typeof oneProfile>, number[]] = [oneProfile(), []];
  let waiting = lots;
  const profiles: typeof own = {
    ...own,
    fold: async () => {
      waiting -= 1;
      return { events: 1, refusedIds: 0, undecided: [], isMore: waiting > 0 };
    },
    preview: (request) => {
      seen.push(waiting);
      return own.preview(request);
    },
    profile: (request) => {
      seen.push(waiting);
      return own.profile(request);
    },
  };
  return { profiles, seen };
}

const READS: readonly [string, (api: Api, audience: unknown) => ReturnType<Api['get']>][] = [
  ['a preview', ({ post }) => post(`${HOME}/audiences:preview`, { definition: PRO })],
  ['the explanation of a member', ({ get }, audience) => get(`${String(audience)}/members/user-1`)],
  ['a profile', ({ get }) => get(`${HOME}/profiles/user-1`)],
];

test.each(READS)('AUD-10: %s sees what was accepted just before', async (_what, read) => {
  const { profiles, seen } = besideLots(3);
  const api = apiOf(await startWorld({ keepsLog: true, profiles }));
  const { body } = await api.audience('Buyers');
  expect((await read(api, body['name'])).status).toBe(200);
  expect(seen).toEqual([0]);
});

test.each(READS)('AUD-10: %s is answered however much waits to be counted', async (_what, read) => {
  const { profiles, seen } = besideLots(1_000);
  const api = apiOf(await startWorld({ keepsLog: true, profiles }));
  const { body } = await api.audience('Buyers');
  expect((await read(api, body['name'])).status).toBe(200);
  expect(seen).toEqual([995]);
});
