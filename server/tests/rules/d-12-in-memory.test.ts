import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import type { Sending } from '../../delivery/target.ts';
import { openDirectory } from '../../directory/directory.ts';
import { ErasedUsers } from '../../directory/erased-users.ts';
import type { Event } from '../../model/message.ts';
import type { Regulation } from '../../model/resources.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { type AudienceWorld, SOURCE, type WorldOptions } from '../support/audience-world.ts';
import { destination, regulation, source, workspace } from '../support/config-resources.ts';
import { eventOf } from '../support/engine.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { startedWorld } from '../support/started-audience-world.ts';
import { stillClock } from '../support/still-clock.ts';

const MAIN = 'workspaces/main';
const DESTINATION = `${SOURCE}/destinations/webhooks`;
/** What each request takes: the next waits in memory for it. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A destination that is sent one event at a time; the first is under way. */
async function worldInTurns(spoil: WorldOptions['spoil'] = (own) => own): Promise<AudienceWorld> {
  const world = await startedWorld({ spoil, endpoint: () => ({ ...answers(200), afterMs: SECOND }) });
  const name = `${DESTINATION}/config/maxInFlight`;
  const setting = { name, display_name: '', type: 'number', value: 1 } as const;
  const { resources } = world.store;
  await resources.update('destinations', DESTINATION, (one) => ({ ...one, config: [...one.config, setting] }));
  await world.send({ userId: 'first' });
  return world;
}

function sent({ transport }: AudienceWorld): unknown[] {
  return transport.posts.map(({ request }) => JSON.parse(Buffer.from(request.body).toString()).messageId);
}

test('AUD-9: what waits in memory of a user who is deleted is not sent, and what comes later is', async () => {
  const world = await worldInTurns();
  await world.send({ messageId: 'gone', userId: 'u1' });
  await world.send({ messageId: 'kept', userId: 'u2' });
  expect(world.store.deliveries.map(({ state }) => state)).toEqual(['trying', 'trying', 'trying']);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(10 * SECOND);
  await world.send({ messageId: 'back', userId: 'u1' });
  await world.advance(10 * SECOND);
  expect(sent(world)).toEqual(['m1', 'kept', 'back']);
  expect(world.store.deliveries.map(({ message: { event } }) => event.userId)).toEqual(['first', 'u2', 'u1']);
});

test('AUD-9: what waits in memory under another id of the user is not sent either', async () => {
  const world = await worldInTurns();
  await world.audience('buyers', { events: { where: "event = 'Never'" } });
  await world.send({ type: 'alias', userId: 'u1', previousId: 'old' });
  await world.advance(MINUTE);
  await world.send({ userId: 'first' });
  await world.send({ messageId: 'gone', userId: 'old' });
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(10 * SECOND);
  expect(sent(world)).not.toContain('gone');
});

/** The same; a deletion waits once it has begun. */
async function worldInDeletion() {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const world = await worldInTurns(({ profiles, tellings }) => ({
    tellings,
    profiles: {
      ...profiles,
      erase: async (request) => {
        begun.resolve();
        await gate.promise;
        return profiles.erase(request);
      },
    },
  }));
  return { world, begun: begun.promise, goOn: gate.resolve };
}

/** Lets time pass until there is a delivery of this kind that is taken, while others come all the time, and go first. */
async function untilTaken(world: AudienceWorld, type: Event['type'], userId: string): Promise<void> {
  const isTaken = (): boolean =>
    world.store.deliveries.some(
      ({ state, message: { event } }) => state === 'trying' && event.type === type && event.userId === userId,
    );
  for (let second = 0; second < 60 && !isTaken(); second += 1) {
    for (let calls = 0; calls < 2; calls += 1) await world.send({ userId: 'other', event: 'Seen' });
    await world.advance(SECOND);
  }
  expect(isTaken()).toBe(true);
}

test('AUD-9: what an audience told of a user while the user was being deleted, and waits in memory, is not sent', async () => {
  const { world, begun, goOn } = await worldInDeletion();
  await world.audience('buyers', { events: { where: "event = 'Bought'" } });
  await world.send({ userId: 'u1' });
  await world.regulate('Delete_Internal', 'u1');
  await begun;
  await untilTaken(world, 'identify', 'u1');
  goOn();
  await world.advance(MINUTE);
  expect(world.told()).toEqual([]);
});

test('AUD-9: what was replayed of a user while the user was being deleted, and waits in memory, is not sent', async () => {
  const { world, begun, goOn } = await worldInDeletion();
  await world.send({ messageId: 'old', userId: 'u1' });
  await world.advance(10 * SECOND);
  await world.regulate('Delete_Internal', 'u1');
  await begun;
  await world.advance(1);
  for (let calls = 0; calls < 3; calls += 1) await world.send({ userId: 'other', event: 'Seen' });
  const [old] = world.store.deliveries.filter(({ message: { event } }) => event.userId === 'u1');
  await world.replay(DESTINATION, old?.id);
  await untilTaken(world, 'track', 'u1');
  goOn();
  await world.advance(MINUTE);
  expect(sent(world).filter((id) => id === 'old')).toHaveLength(1);
});

function takenAt(receivedAt: number): Sending {
  return { message: { source: SOURCE, receivedAt, event: eventOf(0, { userId: 'u1' }) } };
}

test('AUD-9: another router hears of a deletion, and sends nothing of what it had taken before', async () => {
  const time = { now: 0 };
  const clock = stillClock(() => time.now);
  const memory = new Memory({ clock, hearLater: () => undefined });
  const [one, other] = [memory.open('one').resources, memory.open('other').resources];
  await one.create('workspaces', workspace('main'));
  await one.create('sources', source('main', 'js'));
  await one.create('destinations', { ...destination(SOURCE), config: [], enabled: true });
  const directory = await openDirectory(other, newEvaluation(clock));
  await one.create('regulations', { ...regulation('main', 'rg_1'), ...RUNNING });
  expect(directory.target(DESTINATION, takenAt(0))).toBeDefined();
  await directory.refresh();
  expect(directory.target(DESTINATION, takenAt(0))).toBeUndefined();
  expect(directory.target(DESTINATION, takenAt(1))).toBeDefined();
});

const RUNNING = { regulation_type: 'Delete', overall_status: 'RUNNING' } as const satisfies Partial<Regulation>;

interface Remembered {
  readonly put: (id: string, given: Partial<Regulation>) => void;
  /** As when it is cancelled. */
  readonly remove: (id: string) => void;
  /** Whether an event that was accepted then, by default at the start, is not to be sent. */
  readonly has: (event: Partial<Event>, source?: string, at?: number) => boolean;
  readonly wait: (ms: number) => void;
}

function remembered(): Remembered {
  const time = { now: 0 };
  const users = new ErasedUsers(stillClock(() => time.now));
  return {
    put: (id, given) => {
      const resource = { ...regulation('main', id), ...RUNNING, ...given };
      users.put(resource.name, { sequence: 1, resource });
    },
    remove: (id) => users.put(regulation('main', id).name, undefined),
    has: (event, from = SOURCE, at = 0) =>
      users.has({ message: { source: from, receivedAt: at, event: eventOf(0, event) } }),
    wait: (ms) => (time.now += ms),
  };
}

const OVER = { overall_status: 'FINISHED', user_ids: [] } as const;

test('D-12: what storage would delete is not sent: an alias is of two users, and a notice of none', () => {
  const { put, has } = remembered();
  put('rg_1', { user_ids: ['u1', 'u\0'] });
  expect(has({ userId: 'u1' })).toBe(true);
  expect(has({ userId: 'u\uFFFD' })).toBe(true);
  expect(has({ type: 'alias', userId: 'u2', previousId: 'u1' })).toBe(true);
  expect(has({ userId: 'u2', anonymousId: 'u1', previousId: 'u1' })).toBe(false);
  expect(has({ type: 'delete', userId: 'u1' })).toBe(false);
});

test('CFG-25: a deletion in one source leaves what others have sent', () => {
  const { put, has } = remembered();
  put('rg_1', { source_name: SOURCE });
  expect([has({ userId: 'u1' }), has({ userId: 'u1' }, `${MAIN}/sources/ios`)]).toEqual([true, false]);
});

test('D-12: while it may be cancelled, a deletion keeps nothing from being sent, nor does a suppression', () => {
  const { put, has } = remembered();
  put('rg_1', { overall_status: 'INITIALIZED' });
  put('rg_2', { regulation_type: 'Suppress' });
  expect(has({ userId: 'u1' })).toBe(false);
});

test('AUD-9: whoever is behind, and hears of a beginning with the end, knows of whom the deletion was', () => {
  const { put, has, remove } = remembered();
  for (const id of ['rg_1', 'rg_2']) put(id, { overall_status: 'INITIALIZED', user_ids: [id] });
  put('rg_1', OVER);
  remove('rg_2');
  expect([has({ userId: 'rg_1' }), has({ userId: 'rg_2' })]).toEqual([true, false]);
});

test('AUD-9: whoever starts while sources are told of a deletion sends what its users have sent since', () => {
  const { put, has, wait } = remembered();
  wait(MINUTE);
  put('rg_1', { source_status: [{ source_name: SOURCE, status: 'FINISHED' }] });
  expect(has({ userId: 'u1' })).toBe(false);
});

test('AUD-9: of two deletions of a user, the second counts to its end, whatever is heard of the first meanwhile', () => {
  const { put, has, wait } = remembered();
  for (const name of ['rg_1', 'rg_2']) {
    put(name, {});
    wait(1);
  }
  put('rg_1', { known_ids: ['u1', 'old'] });
  const isGone = (at: number): boolean => has({ userId: 'u1' }, SOURCE, at);
  expect([isGone(1), isGone(2)]).toEqual([true, false]);
  put('rg_1', OVER);
  expect([isGone(1), isGone(2)]).toEqual([true, false]);
});

test('SAFE-2: users are forgotten ten minutes after their deletion, and the first of very many before', () => {
  const { put, has, wait } = remembered();
  const isKept = (...ids: string[]): boolean[] => ids.map((userId) => has({ userId }));
  put('rg_1', { user_ids: ['u1', 'u2'] });
  wait(20 * MINUTE);
  put('rg_1', { user_ids: ['u1', 'u2'] });
  put('rg_1', OVER);
  put('rg_2', { user_ids: ['u2'] });
  wait(10 * MINUTE - 1);
  expect(isKept('u1', 'u2')).toEqual([true, true]);
  wait(1);
  // Another deletion of it is under way.
  expect(isKept('u1', 'u2')).toEqual([false, true]);
  put('rg_3', { user_ids: Array.from({ length: 50_000 }, (_, at) => `many${at}`) });
  put('rg_2', OVER);
  expect(isKept('many7', 'u2')).toEqual([true, true]);
  put('rg_3', OVER);
  expect(isKept('many7', 'u2')).toEqual([true, false]);
});
