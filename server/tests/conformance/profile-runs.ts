import { expect } from 'vitest';
import type { Plan } from '../../audiences/plan.ts';
import type { Computed } from '../../storage/profile-storage.ts';
import {
  caught,
  EVERYBODY,
  measure,
  measured,
  type ProfileFact,
  type ProfilePlace,
  space,
  T,
  tell,
  valuesOf,
} from './profile-place.ts';

const SPACES = [space(measure('amounts', 'all'))];
const AUDIENCE = 'workspaces/main/audiences/aud_1';
const PRO: Plan = { kind: 'trait', name: 'plan', is: { eq: 'pro' } };

function onPlan(at: number, plan: string, ...users: readonly string[]): ReturnType<typeof caught>[] {
  return users.map((userId) => caught(at, { type: 'identify', userId, traits: { plan } }));
}

function compute({ profiles }: ProfilePlace, run: number, members: Plan = PRO): Promise<Computed> {
  return profiles.compute({ space: space().id, computation: AUDIENCE, run, of: { members } });
}

async function usersOf({ profiles }: ProfilePlace, run?: number): Promise<readonly string[]> {
  const { results } = await profiles.results({ computation: AUDIENCE, run, limit: 1_000 });
  return results.map(({ user, since }) => `${user} since ${since}`);
}

export const RUN_FACTS: readonly ProfileFact[] = [
  {
    title: 'AUD-3: a run says who entered and who left since the one before it',
    check: async (place) => {
      await tell(place, SPACES, ...onPlan(-9, 'pro', 'ada', 'bob'), ...onPlan(-9, 'free', 'cyd'));
      expect(await compute(place, 1)).toEqual({ evaluated: 3, size: 2, entered: 2, left: 0 });
      await tell(place, SPACES, ...onPlan(-8, 'free', 'ada'), ...onPlan(-8, 'pro', 'cyd', 'dan'));
      expect(await compute(place, 2)).toEqual({ evaluated: 4, size: 3, entered: 2, left: 1 });
      expect(await usersOf(place)).toEqual(['bob since 1', 'cyd since 2', 'dan since 2']);
    },
  },
  {
    title: 'a run that is asked for again changes nothing, whatever was folded meanwhile',
    check: async (place) => {
      await tell(place, SPACES, ...onPlan(-9, 'pro', 'ada'));
      const first = await compute(place, 1);
      await tell(place, SPACES, ...onPlan(-8, 'free', 'ada'), ...onPlan(-8, 'pro', 'bob'));
      expect(await compute(place, 1)).toEqual(first);
      expect(await usersOf(place)).toEqual(['ada since 1']);
    },
  },
  {
    title: 'check 25: the results of a run are the same while another is computed, and two runs are kept',
    check: async (place) => {
      const { profiles } = place;
      await tell(place, SPACES, ...onPlan(-9, 'pro', 'a', 'b', 'c', 'd'));
      await compute(place, 1);
      const first = await profiles.results({ computation: AUDIENCE, limit: 2 });
      expect([first.run, first.next, first.results.length]).toEqual([1, 'b', 2]);
      await tell(place, SPACES, ...onPlan(-8, 'free', 'a', 'd'), ...onPlan(-8, 'pro', 'c2'));
      await compute(place, 5);
      const rest = await profiles.results({ computation: AUDIENCE, run: first.run, after: first.next, limit: 9 });
      expect(rest).toMatchObject({ run: 1, next: undefined, results: [{ user: 'c' }, { user: 'd' }] });
      expect(await usersOf(place, 5)).toEqual(['b since 1', 'c since 1', 'c2 since 5']);
      expect(await profiles.results({ computation: AUDIENCE, run: 3, limit: 9 })).toMatchObject({
        run: undefined,
        results: [],
      });
      await compute(place, 6);
      expect(await profiles.results({ computation: AUDIENCE, run: 1, limit: 9 })).toMatchObject({
        run: undefined,
        results: [],
      });
      expect(await usersOf(place, 5)).toEqual(['b since 1', 'c since 1', 'c2 since 5']);
      await tell(place, SPACES, ...onPlan(-7, 'pro', 'a'));
      await compute(place, 7);
      expect(await usersOf(place, 6)).toEqual(['b since 1', 'c since 1', 'c2 since 5']);
      expect(await usersOf(place)).toEqual(['a since 7', 'b since 1', 'c since 1', 'c2 since 5']);
    },
  },
  {
    title: 'results come in the order of UTF-8, page by page, each once',
    check: async (place) => {
      const users = ['b', 'a', 'A', '10', '9', '\uFF5A', '\u{1F600}', 'é', 'e'];
      await tell(place, SPACES, ...onPlan(-9, 'pro', ...users));
      await compute(place, 1);
      const found: string[] = [];
      for (let after: string | undefined = ''; after !== undefined;) {
        const page = await place.profiles.results({ computation: AUDIENCE, after, limit: 2 });
        found.push(...page.results.map(({ user }) => user));
        after = page.next;
      }
      expect(found).toEqual(users.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
    },
  },
  {
    title: 'results end with the user up to whom they are asked for',
    check: async ({ profiles, ...place }) => {
      await tell({ profiles, ...place }, SPACES, ...onPlan(-9, 'pro', 'a', 'b', 'c', 'd'));
      await compute({ profiles, ...place }, 1);
      const pageOf = async (upTo: string, limit: number) => {
        const { results, next } = await profiles.results({ computation: AUDIENCE, after: 'a', upTo, limit });
        return { users: results.map(({ user }) => user), next };
      };
      expect(await pageOf('c', 9)).toEqual({ users: ['b', 'c'], next: undefined });
      expect(await pageOf('c', 2)).toEqual({ users: ['b', 'c'], next: undefined });
      expect(await pageOf('c', 1)).toEqual({ users: ['b'], next: 'b' });
      expect(await pageOf('bb', 9)).toEqual({ users: ['b'], next: undefined });
    },
  },
  {
    title: 'AUD-10: a value that changes is a result of the run that found it, and nobody entered or left',
    check: async (place) => {
      const all = measure('amounts', 'all');
      const run = (number: number): Promise<Computed> =>
        place.profiles.compute({
          space: space().id,
          computation: AUDIENCE,
          run: number,
          of: { values: measured(all, 'count') },
        });
      await tell(place, SPACES, caught(-9, { userId: 'ada' }), caught(-9, { userId: 'bob' }));
      await run(1);
      await tell(place, SPACES, caught(-8, { userId: 'ada' }));
      expect(await run(2)).toEqual({ evaluated: 2, size: 2, entered: 0, left: 0 });
      expect(await place.profiles.results({ computation: AUDIENCE, limit: 9 })).toEqual({
        run: 2,
        results: [
          { user: 'ada', value: '2', since: 2 },
          { user: 'bob', value: '1', since: 1 },
        ],
        next: undefined,
      });
    },
  },
  {
    title: 'AUD-10: pages of values are of one run, whatever the values become and whoever loses one meanwhile',
    check: async (place) => {
      const all = measure('amounts', 'all');
      const run = (number: number, from: number): Promise<Computed> => {
        const values = measured(all, 'count', 'missing', { from, to: T });
        return place.profiles.compute({ space: space().id, computation: AUDIENCE, run: number, of: { values } });
      };
      const rowsOf = async (query: { run?: number; after?: string; limit: number }): Promise<readonly string[]> => {
        const { results } = await place.profiles.results({ computation: AUDIENCE, ...query });
        return results.map(({ user, value, since }) => `${user} ${value} since ${since}`);
      };
      await tell(place, SPACES, ...['ada', 'bob', 'cyd'].map((userId) => caught(-30, { userId })));
      await run(1, T - 40);
      expect(await rowsOf({ limit: 1 })).toEqual(['ada 1 since 1']);
      await tell(place, SPACES, ...['bob', 'bab', 'bob'].map((userId, at) => caught(-9 - at, { userId })));
      await run(2, T - 20);
      expect(await rowsOf({ run: 1, after: 'ada', limit: 9 })).toEqual(['bob 1 since 1', 'cyd 1 since 1']);
      expect(await rowsOf({ limit: 9 })).toEqual(['bab 1 since 2', 'bob 2 since 2']);
    },
  },
  {
    title: 'check 12: of two members that merge the one it is told under stays, and the other has left',
    check: async (place) => {
      await tell(place, SPACES, ...onPlan(-9, 'pro', 'ada', 'bob'));
      await compute(place, 1);
      await tell(place, SPACES, caught(-8, { type: 'alias', previousId: 'ada', userId: 'bob' }));
      expect(await compute(place, 2)).toEqual({ evaluated: 1, size: 1, entered: 0, left: 1 });
      expect(await usersOf(place)).toEqual(['bob since 1']);
      expect(await place.profiles.profile({ space: space().id, user: 'ada', measures: [] })).toMatchObject({
        user: 'bob',
        results: [{ computation: AUDIENCE, value: 'true', since: 1 }],
      });
    },
  },
  {
    title: 'a preview answers the size and a sample in order, and stores nothing',
    check: async (place) => {
      await tell(place, SPACES, ...onPlan(-9, 'pro', 'c', 'a', 'b'), ...onPlan(-9, 'free', 'd'));
      const preview = await place.profiles.preview({ space: space().id, members: PRO, sample: 2 });
      expect(preview).toEqual({ evaluated: 4, size: 3, sample: ['a', 'b'] });
      expect((await place.profiles.results({ computation: AUDIENCE, limit: 9 })).run).toBeUndefined();
      expect(await place.profiles.preview({ space: 'workspaces/none@1', members: EVERYBODY, sample: 2 })).toEqual({
        evaluated: 0,
        size: 0,
        sample: [],
      });
    },
  },
  {
    title: 'AUD-6: what one workspace caught is folded without what others did, and each once',
    check: async (place) => {
      const all = measure('amounts', 'all');
      const others = 'workspaces/main2/sources/js';
      const userId = 'ada';
      const rows = [-4, -3, -2].map((at) => caught(at, { userId }));
      await place.catches([caught(-5, { userId }, others), ...rows, caught(-1, { userId }, others)]);
      const asked = { spaces: async () => [space(all)], workspace: 'workspaces/main' };
      expect(await place.profiles.fold({ ...asked, limit: 2 })).toMatchObject({ events: 2, isMore: true });
      expect(await place.waiting()).toBe(3);
      expect(await place.profiles.fold({ ...asked, limit: 2 })).toMatchObject({ events: 1, isMore: false });
      expect(await place.waiting()).toBe(2);
      const profiles = await place.reopen();
      await place.catches([caught(0, { userId })]);
      expect(await profiles.fold({ spaces: asked.spaces, limit: 9 })).toMatchObject({ events: 3, isMore: false });
      expect(await place.waiting()).toBe(0);
      expect(await valuesOf({ profiles }, measured(all, 'count'))).toEqual({ ada: 4 });
    },
  },
  {
    title: 'AUD-6: what was caught up to a moment is folded without what comes behind',
    check: async ({ profiles, catches, waiting }) => {
      await catches([-3, -2].map((at) => caught(at, { userId: 'ada' })));
      const upTo = await profiles.lastCaught();
      await catches([caught(-1, { userId: 'ada' })]);
      for (const place of [{}, { workspace: 'workspaces/main' }]) {
        const asked = { spaces: async () => SPACES, limit: 1, upTo, ...place };
        expect(await profiles.fold(asked)).toMatchObject({ events: 1 });
      }
      expect(await profiles.fold({ spaces: async () => SPACES, limit: 9, upTo })).toMatchObject({
        events: 0,
        isMore: false,
      });
      expect(await waiting()).toBe(1);
      expect(await profiles.lastCaught()).toBeGreaterThan(upTo);
    },
  },
  {
    title: 'what was caught is folded once, in lots, and is gone from the inbox then',
    check: async (place) => {
      const all = measure('amounts', 'all');
      await place.catches([-3, -2, -1].map((at) => caught(at, { userId: 'ada' })));
      expect(await place.profiles.fold({ spaces: async () => SPACES, limit: 2 })).toEqual({
        events: 2,
        refusedIds: 0,
        undecided: [],
        isMore: true,
      });
      expect(await place.waiting()).toBe(1);
      expect(await place.profiles.fold({ spaces: async () => SPACES, limit: 2 })).toEqual({
        events: 1,
        refusedIds: 0,
        undecided: [],
        isMore: false,
      });
      expect(await place.profiles.fold({ spaces: async () => SPACES, limit: 2 })).toMatchObject({
        events: 0,
        isMore: false,
      });
      const values = measured(all, 'count');
      await place.profiles.compute({ space: space().id, computation: AUDIENCE, run: 1, of: { values } });
      expect(await place.profiles.results({ computation: AUDIENCE, limit: 9 })).toMatchObject({
        results: [{ value: '3' }],
      });
    },
  },
  {
    title: 'ING-10: what was folded and computed is there after reopening, and is not folded again',
    check: async (place) => {
      await tell(place, SPACES, ...onPlan(-9, 'pro', 'ada'));
      await compute(place, 1);
      const again = { ...place, profiles: await place.reopen() };
      expect(await usersOf(again)).toEqual(['ada since 1']);
      await tell(again, SPACES, ...onPlan(-8, 'pro', 'bob'));
      expect(await compute(again, 2)).toEqual({ evaluated: 2, size: 2, entered: 1, left: 0 });
    },
  },
  {
    title: 'what an inbox catches that was restored from an older backup is folded',
    check: async (place) => {
      await tell(place, SPACES, ...onPlan(-9, 'pro', 'ada', 'bob'));
      await place.restoreInbox();
      const again = { ...place, profiles: await place.reopen() };
      await tell(again, SPACES, ...onPlan(-8, 'pro', 'cyd'));
      expect(await compute(again, 1)).toMatchObject({ size: 3 });
    },
  },
];
