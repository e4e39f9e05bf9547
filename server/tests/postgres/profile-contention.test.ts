import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caught, EVERYBODY, measure, measured, space } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import { postgresProfiles } from '../../storage/postgres/profiles/profiles.ts';
import type { MeasuredSpace, ProfileStorage } from '../../storage/profile-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const COUNTED = measure('amounts', "event = 'E'");
const WORKSPACES = ['a', 'b', 'c', 'd'].map((slug) => `workspaces/${slug}`);
const SPACES: readonly MeasuredSpace[] = WORKSPACES.map((workspace) => ({
  ...space(COUNTED),
  id: `${workspace}@1`,
  workspace,
}));
const spaces = async (): Promise<readonly MeasuredSpace[]> => SPACES;
const ACT: fc.Arbitrary<Act> = fc.record({
  router: fc.constantFrom(0, 1),
  workspace: fc.constantFrom(...WORKSPACES),
  act: fc.constantFrom('catch', 'catch', 'fold', 'upkeep', 'erase', 'tidy', 'compute'),
});

interface Act {
  readonly router: number;
  readonly workspace: string;
  readonly act: string;
}

describeWithPostgres('two routers at the profiles of several workspaces', () => {
  test.each([1, 2, 3])('SAFE-2: never wait in a circle, and count each event once (seed %i)', async (seed) => {
    const postgres = await postgresPlace();
    const place = postgresProfilesPlace(postgres);
    const other = postgres.open();
    try {
      const routers = [place.profiles, postgresProfiles(other)];
      const told = new Map<string, number>();
      let run = 0;
      const act = async ({ router, workspace, act: what }: Act): Promise<void> => {
        const profiles = routers[router] ?? place.profiles;
        if (what === 'catch') {
          const at = told.get(workspace) ?? 0;
          told.set(workspace, at + 1);
          const users = ['ada', 'gone'].map((userId) => ({ event: 'E', userId, anonymousId: `${userId} ${at}` }));
          await place.catches(users.map((event) => caught(-1 - at, event, `${workspace}/sources/js`)));
        }
        await changed(profiles, { workspace, what, run: (run += 1) });
      };
      await Promise.all(fc.sample(ACT, { seed, numRuns: 150 }).map(act));
      for (let isMore = true; isMore;) ({ isMore } = await place.profiles.fold({ spaces, limit: 1_000 }));
      for (const workspace of WORKSPACES) {
        const request = { space: `${workspace}@1`, user: 'ada', measures: [], values: [measured(COUNTED, 'count')] };
        expect((await place.profiles.profile(request))?.values).toEqual([told.get(workspace)]);
      }
      expect(await place.waiting()).toBe(0);
    } finally {
      await other.close();
      await place.end();
    }
  });
});

interface Change {
  readonly workspace: string;
  readonly what: string;
  readonly run: number;
}

async function changed(profiles: ProfileStorage, { workspace, what, run }: Change): Promise<void> {
  if (what === 'fold') await profiles.fold({ spaces, limit: 5, workspace });
  if (what === 'upkeep') await profiles.fold({ spaces, limit: 20 });
  if (what === 'erase') await profiles.erase({ workspace, userIds: ['gone'], spaces });
  if (what === 'tidy') {
    const needed = { spaces: SPACES, computations: [], from: [] };
    await profiles.tidy({ needed: async () => needed, limit: 10 });
  }
  if (what === 'compute') {
    const computation = `${workspace}/audiences/a${run}`;
    await profiles.compute({ space: `${workspace}@1`, computation, run: 1, of: { members: EVERYBODY } });
  }
}
