import { expect, test } from 'vitest';
import type { Claim, DeliveryStore, RoundRecord } from '../../ports/delivery-store.ts';
import { messageOf } from '../support/engine.ts';

const NOW = Date.UTC(2026, 0, 1);
const A = 'workspaces/main/sources/js/destinations/webhooks';
const B = 'workspaces/main/sources/ios/destinations/webhooks';

const NOTHING = { claims: [], nextDueAt: undefined, oldestReceivedAt: undefined };

/** A store on a place of its own, and a way to open the same place again, as after the end of the process. */
export interface StoreUnderTest {
  readonly store: DeliveryStore;
  readonly reopen: () => Promise<DeliveryStore>;
  readonly end: () => Promise<void>;
}

/** What every engine behind the port must do. Each fact is one test. */
export function deliveryStoreConformance(name: string, open: () => Promise<StoreUnderTest>): void {
  const fact = (title: string, check: (place: StoreUnderTest) => Promise<void>): void => {
    test(`${name}: ${title}`, async () => {
      const place = await open();
      try {
        await check(place);
      } finally {
        await place.end();
      }
    });
  };

  fact('ING-10: what was accepted is there after reopening', async ({ store, reopen }) => {
    await store.accept([accepted('m1', false)]);
    const reopened = await reopen();
    expect(await reopened.backlog()).toEqual([{ destination: A, waiting: 1, nextDueAt: NOW, oldestReceivedAt: NOW }]);
    const { claims } = await reopened.claim({ which: 'due', destination: A, now: NOW, limit: 10 });
    expect(claims.map((claim) => claim.message)).toEqual([message('m1')]);
  });

  fact('a claimed acceptance is being tried, and not due', async ({ store }) => {
    const [claims] = await store.accept([accepted('m1', true)]);
    expect(claims).toMatchObject([{ destination: A, round: 1, closed: [], message: message('m1') }]);
    expect(await store.backlog()).toEqual([]);
  });

  fact('D-43: a message id is taken once for each source', async ({ store, reopen }) => {
    await store.accept([accepted('m1', true)]);
    expect(await store.accept([accepted('m1', true)])).toEqual(['duplicate']);
    const other = { ...accepted('m1', true), message: { ...message('m1'), source: 'workspaces/main/sources/ios' } };
    expect((await store.accept([other]))[0]).toHaveLength(1);
    expect(await (await reopen()).accept([accepted('m1', true)])).toEqual(['duplicate']);
  });

  fact('D-43: the second of two equal ids in one request is a duplicate', async ({ store }) => {
    const answer = await store.accept([accepted('m1', true), accepted('m1', true), accepted('m2', true)]);
    expect(answer.map((entry) => (entry === 'duplicate' ? entry : entry.length))).toEqual([1, 'duplicate', 1]);
  });

  fact('a message may go to several destinations, or to none', async ({ store }) => {
    const routes = [
      { destination: A, claimed: true },
      { destination: B, claimed: false },
    ];
    const [both, none] = await store.accept([
      { message: message('m1'), routes },
      { message: message('m2'), routes: [] },
    ]);
    expect([both, none]).toMatchObject([[{ destination: A }], []]);
    expect(await store.backlog()).toMatchObject([{ destination: B, waiting: 1 }]);
  });

  fact('a claim counts its round and takes each delivery once', async ({ store }) => {
    await store.accept([accepted('m1', false), accepted('m2', false)]);
    const [first, second] = await Promise.all([
      store.claim({ which: 'due', destination: A, now: NOW, limit: 10 }),
      store.claim({ which: 'due', destination: A, now: NOW, limit: 10 }),
    ]);
    expect(first.claims.map((claim) => claim.round)).toEqual([1, 1]);
    expect(second).toEqual(NOTHING);
  });

  fact('a claim takes what is due, earliest first, up to its limit', async ({ store }) => {
    await store.accept([accepted('late', false, 20), accepted('early', false, 10), accepted('future', false, 5_000)]);
    const first = await store.claim({ which: 'due', destination: A, now: NOW + 100, limit: 1 });
    expect(ids(first.claims)).toEqual(['early']);
    expect(first.nextDueAt).toBe(NOW + 20);
    const rest = await store.claim({ which: 'due', destination: A, now: NOW + 100, limit: 10 });
    expect(ids(rest.claims)).toEqual(['late']);
    expect(rest.nextDueAt).toBe(NOW + 5_000);
  });

  fact('D-25: a probe is the least tried of the oldest, due or not', async ({ store }) => {
    const answer = await store.accept([
      accepted('tried', true),
      accepted('newer', false, 9_001),
      accepted('fresh', false, 9_000),
    ]);
    const postponed = { state: 'pending', dueAt: NOW + 60_000, closed: [] } as const;
    await store.record([recordOf(firstOf(answer[0]), postponed)]);
    const probe = await store.claim({ which: 'probe', destination: A, limit: 1 });
    expect(ids(probe.claims)).toEqual(['fresh']);
    expect(probe).toMatchObject({ nextDueAt: NOW + 9_001, oldestReceivedAt: NOW });
  });

  fact('D-25: what was received up to a moment is claimed, due or not', async ({ store }) => {
    await store.accept([accepted('old', false), accepted('young', false, 10)]);
    const last = await store.claim({ which: 'received', upTo: NOW + 9, destination: A, limit: 10 });
    expect(ids(last.claims)).toEqual(['old']);
    expect(last.oldestReceivedAt).toBe(NOW + 10);
  });

  fact('a claim sees only its own destination', async ({ store }) => {
    await store.accept([accepted('m1', false)]);
    expect(await store.claim({ which: 'due', destination: B, now: NOW, limit: 10 })).toEqual(NOTHING);
  });

  fact('D-22: a postponed delivery keeps its rounds and its closed webhooks', async ({ store, reopen }) => {
    const [claims] = await store.accept([accepted('m1', true)]);
    const verdict = { state: 'pending', dueAt: NOW + 10_000, closed: ['https://b.test/'] } as const;
    await store.record([recordOf(firstOf(claims), verdict)]);
    const reopened = await reopen();
    expect((await reopened.claim({ which: 'due', destination: A, now: NOW + 9_999, limit: 1 })).claims).toEqual([]);
    const { claims: due } = await reopened.claim({ which: 'due', destination: A, now: NOW + 10_000, limit: 1 });
    expect(due).toMatchObject([{ round: 2, closed: ['https://b.test/'] }]);
  });

  for (const state of ['delivered', 'failed', 'expired', 'cancelled'] as const) {
    fact(`a delivery that is ${state} never comes back`, async ({ store, reopen }) => {
      const [claims] = await store.accept([accepted('m1', true)]);
      await store.record([recordOf(firstOf(claims), { state })]);
      const reopened = await reopen();
      expect(await reopened.recover(NOW)).toBe(0);
      expect(await reopened.backlog()).toEqual([]);
    });
  }

  fact('a verdict counts once, and for the round that is being tried', async ({ store }) => {
    const [claims] = await store.accept([accepted('m1', true)]);
    const first = firstOf(claims);
    await store.record([recordOf(first, { state: 'pending', dueAt: NOW + 5, closed: [] })]);
    await store.record([recordOf(first, { state: 'delivered' })]);
    const { claims: again } = await store.claim({ which: 'due', destination: A, now: NOW + 5, limit: 1 });
    await store.record([recordOf(first, { state: 'delivered' })]);
    await store.record([recordOf(firstOf(again), { state: 'pending', dueAt: NOW + 9, closed: [] })]);
    expect(await store.backlog()).toMatchObject([{ waiting: 1, nextDueAt: NOW + 9 }]);
  });

  fact('recover frees what was being tried, and keeps its rounds counted', async ({ store, reopen }) => {
    await store.accept([accepted('m1', true)]);
    const reopened = await reopen();
    expect(await reopened.recover(NOW + 5)).toBe(1);
    expect(await reopened.backlog()).toEqual([
      { destination: A, waiting: 1, nextDueAt: NOW + 5, oldestReceivedAt: NOW },
    ]);
    const { claims } = await reopened.claim({ which: 'due', destination: A, now: NOW + 5, limit: 1 });
    expect(claims.map((claim) => claim.round)).toEqual([2]);
  });

  fact('release puts a claim back as if it had not been taken', async ({ store }) => {
    const [claims] = await store.accept([accepted('m1', true)]);
    await store.release([firstOf(claims).delivery]);
    const again = await store.claim({ which: 'due', destination: A, now: NOW, limit: 1 });
    expect(again.claims.map((claim) => claim.round)).toEqual([1]);
  });

  fact('an event comes back as it was, every character of it', async ({ store, reopen }) => {
    const odd = { a: '\u0000\ud800😀"\\', 10: 1, 9: 2, nested: JSON.parse('{"__proto__":{"x":[null,1.5e300]}}') };
    const routes = [{ destination: A, claimed: false }];
    await store.accept([{ message: messageOf({ now: () => NOW }, { messageId: 'ödd', properties: odd }), routes }]);
    const { claims } = await (await reopen()).claim({ which: 'due', destination: A, now: NOW, limit: 1 });
    expect(JSON.stringify(claims[0]?.message.event.properties)).toBe(JSON.stringify(odd));
  });

  fact('many requests at once are all accepted', async ({ store, reopen }) => {
    const requests = Array.from({ length: 200 }, (_, i) => store.accept([accepted(`m${i}`, false)]));
    expect((await Promise.all(requests)).flat()).toHaveLength(200);
    expect(await (await reopen()).backlog()).toMatchObject([{ waiting: 200 }]);
  });
}

function message(messageId: string, offset = 0): ReturnType<typeof messageOf> {
  return messageOf({ now: () => NOW + offset }, { messageId });
}

function accepted(messageId: string, claimed: boolean, offset = 0) {
  return { message: message(messageId, offset), routes: [{ destination: A, claimed }] };
}

function ids(claims: readonly Claim[]): string[] {
  return claims.map((claim) => claim.message.event.messageId);
}

function firstOf(claims: readonly Claim[] | 'duplicate' | undefined): Claim {
  const first = claims === 'duplicate' ? undefined : claims?.[0];
  if (first === undefined) throw new Error('the acceptance gave no claim');
  return first;
}

function recordOf({ delivery, destination, round }: Claim, verdict: RoundRecord['verdict']): RoundRecord {
  return { delivery, destination, receivedAt: NOW, round, attempts: [], verdict, endedAt: NOW };
}
