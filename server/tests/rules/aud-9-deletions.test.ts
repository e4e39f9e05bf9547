import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { Definition } from '../../model/definition.ts';
import { finished } from '../../model/regulation.ts';
import { allRows } from '../../storage/config-store.ts';
import { type ErasedProfiles, NOTHING_ERASED } from '../../storage/profile-storage.ts';
import { startWorld } from '../contract/world.ts';
import { apiOf, HOME } from '../support/audience-api.ts';
import { type AudienceWorld, HOUR, SOURCE, type WorldOptions } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';
import { oneProfile } from '../support/one-profile.ts';

const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };
/** Longer than any wait for the next run. */
const NEXT_RUN = 3 * HOUR + 60_000;
const MINUTE = 60_000;

async function started(spoil: WorldOptions['spoil'] = (own) => own): Promise<AudienceWorld> {
  const world = await startedWorld({ spoil });
  return world;
}

async function doNothing(): Promise<void> {}

test('AUD-9: after a deletion nothing is told of the user but its notice (check 23)', async () => {
  const world = await started();
  await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'old' });
  await world.send({ type: 'alias', userId: 'u1', previousId: 'old' });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  await world.regulate('Delete', 'old');
  await world.advance(2 * NEXT_RUN);
  expect(world.told()).toHaveLength(1);
  const stored = world.store.deliveries.map(({ message: { event } }) => `${event.type} ${event.userId}`);
  expect(stored).toEqual(['delete old']);
  const destination = `${SOURCE}/destinations/webhooks`;
  const computation = 'workspaces/main/audiences/aud_buyers';
  expect((await world.store.told({ destination, computation, limit: 10 })).told).toEqual([]);
  const request = { space: world.directory.computations('workspaces/main').space?.id ?? '', measures: [] };
  expect(await world.profiles.profile({ ...request, user: 'u1' })).toBeUndefined();
  expect(await world.profiles.profile({ ...request, user: 'old' })).toBeUndefined();
});

test('AUD-9: an alias that was accepted just before a deletion merges ids too: nothing stays under either', async () => {
  const asked: (readonly string[])[] = [];
  const world = await started(({ profiles, ...stores }) => ({
    ...stores,
    profiles: {
      ...profiles,
      erase: (request) => {
        asked.push(request.userIds);
        return profiles.erase(request);
      },
    },
  }));
  await world.audience('buyers', BOUGHT);
  for (const userId of ['old', 'u1']) await world.send({ userId });
  await world.advance(MINUTE);
  expect(world.told().toSorted()).toEqual(['old buyers true', 'u1 buyers true']);
  await world.send({ type: 'alias', userId: 'u1', previousId: 'old' });
  await world.regulate('Delete', 'u1');
  await world.advance(3 * NEXT_RUN);
  // All were known before the profile was erased.
  expect(asked.map((ids) => ids.toSorted())).toEqual([['u1'], ['old', 'u1']]);
  const stored = world.store.deliveries.map(({ message: { event } }) => `${event.type} ${event.userId}`);
  expect(stored).toEqual(['delete u1']);
  const [destination, computation] = [`${SOURCE}/destinations/webhooks`, 'workspaces/main/audiences/aud_buyers'];
  expect((await world.store.told({ destination, computation, limit: 10 })).told).toEqual([]);
});

test('AUD-9: an alias that comes while a user is deleted merges ids too: whoever goes on after a restart has them', async () => {
  let alias = doNothing;
  const asked: { readonly ids: readonly string[]; readonly known: readonly string[] | undefined }[] = [];
  const world = await started(({ profiles, tellings }) => ({
    tellings,
    profiles: {
      ...profiles,
      erase: async (request) => {
        await alias();
        const [regulation] = await allRows(tellings.resources, 'regulations', 'workspaces/main');
        asked.push({ ids: request.userIds, known: regulation?.resource.known_ids });
        return profiles.erase(request);
      },
    },
  }));
  alias = () => world.send({ type: 'alias', userId: 'u1', previousId: 'old' });
  await world.audience('buyers', BOUGHT);
  for (const userId of ['old', 'u1']) await world.send({ userId });
  await world.advance(MINUTE);
  await world.regulate('Delete', 'u1');
  await world.advance(3 * NEXT_RUN);
  const stored = world.store.deliveries.map(({ message: { event } }) => `${event.type} ${event.userId}`);
  expect(stored).toEqual(['delete u1']);
  // Each was known, and stored, before anything was removed by which it is known.
  expect(asked.map(({ ids }) => ids.toSorted())).toEqual([['u1'], ['old', 'u1']]);
  expect(asked.at(-1)?.known?.toSorted()).toEqual(['old', 'u1']);
});

test('SAFE-2: a deletion looks up none of its users alone, however many it names', async () => {
  const world = await started(({ profiles, ...stores }) => ({
    ...stores,
    profiles: { ...profiles, profile: () => Promise.reject(new Error('looked up')) },
  }));
  await world.audience('buyers', BOUGHT);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  const [row] = await allRows(world.store.resources, 'regulations', 'workspaces/main');
  expect(row?.resource.overall_status).toBe('FINISHED');
});

test('SAFE-2: between steps of a deletion that keep the audiences of all waiting, they have their turn', async () => {
  const begun: number[] = [];
  let sleep: (ms: number) => Promise<void> = doNothing;
  const world = await started(({ profiles, ...stores }) => ({
    ...stores,
    profiles: {
      ...profiles,
      erase: async () => {
        begun.push(world.clock.steady());
        await sleep(begun.length > 2 ? 900 : 1_100);
        return { ...NOTHING_ERASED, isMore: begun.length < 5 };
      },
    },
  }));
  sleep = (ms) => world.clock.sleep(ms);
  await world.audience('buyers', BOUGHT);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  const rests = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
  expect(rests).toEqual([5_500, 5_500, 900, 900]);
});

test('SAFE-2: a deletion does not rest for what it waited itself', async () => {
  const begun: number[] = [];
  let sleep: (ms: number) => Promise<void> = doNothing;
  const world = await started(({ profiles, ...stores }) => ({
    ...stores,
    profiles: {
      ...profiles,
      erase: async () => {
        begun.push(world.clock.steady());
        await sleep(3_000);
        return { ...NOTHING_ERASED, isMore: begun.length < 4, tookMs: begun.length > 2 ? 300 : 1_100 };
      },
    },
  }));
  sleep = (ms) => world.clock.sleep(ms);
  await world.audience('buyers', BOUGHT);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  const rests = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
  expect(rests).toEqual([7_400, 7_400, 3_000]);
});

test('AUD-9: a deletion goes on with profiles where it was, and begins with all else from the start', async () => {
  const asked: (string | undefined)[] = [];
  const world = await started(({ profiles, ...stores }) => ({
    ...stores,
    profiles: {
      ...profiles,
      erase: async ({ after }) => {
        asked.push(after);
        return { ...NOTHING_ERASED, isMore: asked.length < 3, next: `step ${asked.length}` };
      },
    },
  }));
  await world.send({ userId: 'u1' });
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  expect(asked).toEqual([undefined, 'step 1', 'step 2']);
  expect(world.store.deliveries).toEqual([]);
});

test('AUD-9: a router that stood still while another finished a deletion stores none of its ids again', async () => {
  const world = await started(({ profiles, tellings }) => ({
    tellings,
    profiles: {
      ...profiles,
      erase: async () => {
        const [row] = await allRows(tellings.resources, 'regulations', 'workspaces/main');
        const name = row?.resource.name ?? '';
        await tellings.resources.update('regulations', name, (one) => finished(one, new Date(0).toISOString()));
        return { ...NOTHING_ERASED, unasked: ['old'] };
      },
    },
  }));
  await world.audience('buyers', BOUGHT);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  const [row] = await allRows(world.store.resources, 'regulations', 'workspaces/main');
  expect(row?.resource).toMatchObject({ overall_status: 'FINISHED', user_ids: [] });
  expect(row?.resource.known_ids).toBeUndefined();
});

test('AUD-9: what a sync told adds up, although a user was deleted before it was sent', async () => {
  let isDown = true;
  const world = await startedWorld({ endpoint: () => answers(isDown ? 503 : 200) });
  const name = await world.audience('buyers', BOUGHT);
  for (const userId of ['u1', 'u2', 'u3']) await world.send({ userId });
  await world.advance(MINUTE);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  isDown = false;
  await world.advance(10 * MINUTE);
  expect(await world.syncs(name)).toMatchObject([{ sent: 3, delivered: 2, superseded: 1 }]);
});

test('AUD-9: the deletion of a profile is of the ids too that an alias merged just before', async () => {
  let isFolded = false;
  const own = oneProfile();
  const profiles: typeof own = {
    ...own,
    fold: (request) => {
      isFolded = true;
      return own.fold(request);
    },
    profile: async (request) => {
      const profile = await own.profile(request);
      return profile && { ...profile, userIds: isFolded ? profile.userIds : [profile.user] };
    },
  };
  const { audience, remove } = apiOf(await startWorld({ keepsLog: true, profiles }));
  await audience('Buyers');
  expect((await remove(`${HOME}/profiles/user-1`)).status).toBe(200);
  expect(own.erased).toEqual(['user-0', 'user-1']);
});

/** Profiles that are erased in parts, and a part of them merges with another id meanwhile. */
async function erasedInParts(...parts: readonly Partial<ErasedProfiles>[]) {
  const asked: (readonly string[])[] = [];
  const profiles: ReturnType<typeof oneProfile> = {
    ...oneProfile(),
    erase: async ({ userIds }) => {
      const part = parts[Math.min(asked.push(userIds), parts.length) - 1];
      return { ...NOTHING_ERASED, ...part };
    },
  };
  const api = apiOf(await startWorld({ keepsLog: true, profiles }));
  await api.audience('Buyers');
  const { status } = await api.remove(`${HOME}/profiles/user-1`);
  const { body } = await api.get(`${HOME}/regulations`);
  return { asked, status, regulations: body['regulations'] };
}

const WHOLE = ['user-0', 'user-1'];

test('AUD-9: a profile of which a part is left is deleted on, until nothing is', async () => {
  const { asked, status } = await erasedInParts({ isMore: true }, { isMore: true }, {});
  expect([status, asked]).toEqual([200, [WHOLE, WHOLE, WHOLE]]);
});

test('AUD-9: an id that the profile merges with as it is deleted is deleted too, with its events', async () => {
  const { asked, status, regulations } = await erasedInParts({ unasked: ['other'] }, {});
  expect([status, asked]).toEqual([200, [WHOLE, [...WHOLE, 'other']]]);
  expect(regulations).toHaveLength(2);
});

test('AUD-9: nobody is told that a profile is gone of which a part is left for long', async () => {
  const { status, regulations } = await erasedInParts({ isMore: true });
  expect(status).toBe(503);
  expect(regulations).toHaveLength(1);
});
