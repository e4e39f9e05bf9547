import { expect, test } from 'vitest';
import type { Attempt, DeliveryState } from '../../model/delivery.ts';
import type { DeliveryLog } from '../../storage/delivery-log.ts';
import type { DeliveryStorage } from '../../storage/delivery-storage.ts';
import type { JobStorage } from '../../storage/job-storage.ts';
import { messageOf } from '../support/engine.ts';
import { momentAt } from '../support/still-clock.ts';

const NOW = Date.UTC(2026, 0, 1);
const A = 'workspaces/main/sources/js/destinations/webhooks';
const B = 'workspaces/main/sources/ios/destinations/webhooks';
const ATTEMPT: Attempt = {
  webhook: 'https://a.test/',
  startedAt: NOW,
  durationMs: 5,
  phases: { connectMs: 1, sendMs: 0, waitMs: 4 },
  outcome: 'http_5xx',
  status: 503,
  excerpt: 'no',
  rule: 'temporary_failure_is_retried',
};

type Store = DeliveryStorage & DeliveryLog & JobStorage;

export interface LogUnderTest {
  readonly store: Store;
  readonly reopen: () => Promise<Store>;
  readonly end: () => Promise<void>;
}

/**
 * What every engine must do that can look back: the log, the replays and the retention. SQLite does; the store in memory
 * serves simulations, which look at its deliveries themselves, and offers none of the three.
 */
export function deliveryLogConformance(name: string, open: () => Promise<LogUnderTest>): void {
  const fact = (title: string, check: (place: LogUnderTest) => Promise<void>): void => {
    test(`${name}: ${title}`, async () => {
      const place = await open();
      try {
        await check(place);
      } finally {
        await place.end();
      }
    });
  };

  fact('D-31: attempts survive, with round and next due time', async ({ store, reopen }) => {
    await end(store, 'm1', 'trying');
    // The wall reads NOW + 5 at the end of the round, and the process counts NOW + 105.
    const verdict = { state: 'pending', dueAt: NOW + 110, setAt: NOW + 105, closed: [], tries: 1 } as const;
    const round = { delivery: 1, destination: A, round: 1, endedAt: NOW + 5, ageMs: 5 };
    await store.record([{ ...round, attempts: [ATTEMPT], verdict }]);
    const story = await (await reopen()).read({ destination: A, delivery: 1 });
    expect(story).toMatchObject({ state: 'pending', messageId: 'm1', rounds: 1, dueAt: NOW + 110, replays: 0 });
    expect(story?.attempts).toEqual([{ ...ATTEMPT, round: 1, nextDueAt: NOW + 10 }]);
    expect(story).not.toHaveProperty('endedAt');
  });

  fact('a delivery is found below its own destination only', async ({ store }) => {
    await end(store, 'm1', 'failed');
    expect(await store.read({ destination: B, delivery: 1 })).toBeUndefined();
    expect(await store.list({ destination: B, filter: {}, limit: 10 })).toEqual({ deliveries: [] });
    expect(await store.replay({ destination: B, delivery: 1, at: momentAt(NOW) })).toBe('missing');
  });

  fact('a list goes on exactly where it stopped, also within one moment', async ({ store }) => {
    for (const id of ['m1', 'm2', 'm3']) await end(store, id, 'failed');
    const first = await store.list({ destination: A, filter: {}, limit: 2 });
    expect(first.deliveries.map(({ messageId }) => messageId)).toEqual(['m3', 'm2']);
    const { next } = first;
    if (next === undefined) throw new Error('there must be more');
    const second = await store.list({ destination: A, filter: {}, before: next, limit: 2 });
    expect(second).toMatchObject({ deliveries: [{ messageId: 'm1' }] });
    expect(second).not.toHaveProperty('next');
  });

  fact('a filter that chooses little costs a bounded look, and can go on', async ({ store }) => {
    const rare = { message: message('rare', 0), routes: [{ destination: A, claimed: true }] };
    await store.accept([rare]);
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      message: messageOf({ now: () => NOW + 1 }, { messageId: `m${index}`, userId: 'often' }),
      routes: [{ destination: A, claimed: true }],
    }));
    await store.accept(many);
    const query = { destination: A, filter: { userId: 'u1' }, limit: 10 };
    const { deliveries, next } = await store.list(query);
    expect(deliveries).toEqual([]);
    if (next === undefined) throw new Error('there must be more');
    expect(await store.list({ ...query, before: next })).toMatchObject({ deliveries: [{ messageId: 'rare' }] });
  });

  fact('D-30: a replay makes an ended delivery due, with a fresh window', async ({ store, reopen }) => {
    await end(store, 'm1', 'expired');
    expect(await store.replay({ destination: A, delivery: 1, at: momentAt(NOW + 9_000) })).toBe('replayed');
    expect(await store.replay({ destination: A, delivery: 1, at: momentAt(NOW + 9_000) })).toBe('not ended');
    const reopened = await reopen();
    expect(await reopened.backlog()).toMatchObject([{ waiting: 1, oldestReceivedAt: NOW + 9_000 }]);
    expect(await reopened.read({ destination: A, delivery: 1 })).toMatchObject({
      state: 'pending',
      replays: 1,
      receivedAt: NOW,
      replayed: [{ at: NOW + 9_000, earlierRounds: 1 }],
    });
  });

  fact('D-30: a report of an earlier round does not end a replay', async ({ store }) => {
    await end(store, 'm1', 'delivered');
    await store.replay({ destination: A, delivery: 1, at: momentAt(NOW + 1) });
    await store.claim({ which: 'due', now: NOW + 1, destination: A, limit: 1 });
    const late = { delivery: 1, destination: A, round: 1, endedAt: NOW + 2, ageMs: 1 };
    await store.record([{ ...late, attempts: [ATTEMPT], verdict: { state: 'delivered' } }]);
    expect(await store.read({ destination: A, delivery: 1 })).toMatchObject({
      state: 'trying',
      rounds: 2,
      attempts: [{ round: 1 }],
    });
  });

  fact('a job goes on after reopening, and replays nothing twice', async ({ store, reopen }) => {
    for (const id of ['m1', 'm2', 'm3', 'm4']) await end(store, id, 'failed');
    const wanted = { destination: A, filter: { states: ['failed'] as const }, dryRun: false, perSecond: 1 };
    const { id } = await store.createReplay({ ...wanted, createdAt: NOW });
    const step = { replay: id, at: momentAt(NOW), limit: 3, waitingLimit: 100 };
    expect(await store.stepReplay(step)).toMatchObject({ replayed: 3, held: false, replay: { state: 'running' } });
    const reopened = await reopen();
    expect(await reopened.runningReplays()).toMatchObject([{ id, matched: 3, ...wanted }]);
    expect(await reopened.stepReplay(step)).toMatchObject({ replayed: 1, replay: { state: 'finished', matched: 4 } });
    expect(await reopened.stepReplay(step)).toBeUndefined();
    expect(await reopened.runningReplays()).toEqual([]);
  });

  fact('a job looks at nothing that came after it was made', async ({ store }) => {
    await end(store, 'm1', 'failed');
    const wanted = { destination: A, filter: {}, dryRun: true, perSecond: 1, createdAt: NOW };
    const { id } = await store.createReplay(wanted);
    await end(store, 'm2', 'failed');
    const progress = await store.stepReplay({ replay: id, at: momentAt(NOW), limit: 9, waitingLimit: 100 });
    expect(progress?.replay).toMatchObject({ state: 'finished', matched: 1 });
  });

  fact('a job holds while so many wait for its destination', async ({ store }) => {
    for (const id of ['m1', 'm2', 'm3']) await end(store, id, 'failed');
    const { id } = await store.createReplay({
      destination: A,
      filter: {},
      dryRun: false,
      perSecond: 9,
      createdAt: NOW,
    });
    const step = { replay: id, at: momentAt(NOW), limit: 9, waitingLimit: 2 };
    expect(await store.stepReplay(step)).toMatchObject({ replayed: 2 });
    expect(await store.stepReplay(step)).toMatchObject({ replayed: 0, held: true, replay: { matched: 2 } });
    await store.claim({ which: 'due', now: NOW, destination: A, limit: 1 });
    expect(await store.stepReplay(step)).toMatchObject({ replayed: 1, held: false, replay: { state: 'finished' } });
  });
}

function message(messageId: string, offset: number): ReturnType<typeof messageOf> {
  return messageOf({ now: () => NOW + offset }, { messageId });
}

/** Stores one delivery for A, and ends it; `trying` leaves it claimed. */
async function end(store: Store, messageId: string, state: DeliveryState): Promise<void> {
  const [claims] = await store.accept([
    { message: message(messageId, 0), routes: [{ destination: A, claimed: true }] },
  ]);
  if (claims === undefined || claims === 'duplicate' || state === 'trying' || state === 'pending') return;
  const [claim] = claims;
  if (claim === undefined) throw new Error('the acceptance gave no claim');
  const { delivery, destination, round } = claim;
  const record = { delivery, destination, round, attempts: [], verdict: { state }, endedAt: NOW, ageMs: 0 };
  await store.record([record]);
}
