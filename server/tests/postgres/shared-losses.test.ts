import { expect, test } from 'vitest';
import { SharedLosses } from '../../losses/shared-losses.ts';
import type { Violation } from '../../losses/violations.ts';
import { KEPT_DETAILS, type LossCount } from '../../storage/losses.ts';
import { script } from '../../storage/postgres/connection/statement.ts';
import { sharedState } from '../../storage/postgres/shared/shared-state.ts';
import { NOW, startConfigApi, withSource } from '../support/config-api.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { stillClock } from '../support/still-clock.ts';

const DAY = 86_400_000;
const RECEIVED = new Date(NOW).toISOString();
const PLAN = 'workspaces/main/tracking-plans/rs_000000000000000000000000000';

const VIOLATION: Violation = {
  kind: 'unplanned_event',
  action: 'allowed',
  message: 'not in the plan',
  plan: PLAN,
  type: 'track',
  event: 'E',
  messageId: 'm',
  receivedAt: RECEIVED,
};

const ONE: LossCount = { owner: 's', list: 'dropped', what: 'w', detail: '', count: 1, firstAt: NOW, lastAt: NOW };

/** A router with an API and a storage that it shares. */
async function startRouter({ database }: PostgresPlace, now = NOW) {
  const losses = new SharedLosses({
    storage: sharedState(database),
    clock: stillClock(() => now),
    log: new RecordingLog(),
  });
  const api = await startConfigApi(undefined, { losses });
  return { api, losses, source: await withSource(api) };
}

describeWithPostgres('losses of routers that share a storage', () => {
  const kept = keptPlaces();

  test('what any router dropped is told alike by all of them, the last of each kind first', async () => {
    await using place = await kept();
    const routers = [await startRouter(place), await startRouter(place)];
    for (const [index, { losses, source }] of routers.entries()) {
      const drop = { reason: 'bad_request', receivedAt: RECEIVED, messageId: `m${index}` } as const;
      const suppressed = { reason: 'suppressed', receivedAt: RECEIVED } as const;
      losses.sinks.dropped.add(
        source,
        new Map([
          ['bad_request', 3],
          ['suppressed', 1],
        ]),
        [drop, suppressed],
      );
      await losses.stop();
    }
    const told = await Promise.all(routers.map(({ api, source }) => api.ok('GET', `/${source}/dropped-events`)));
    expect(told[0]).toEqual(told[1]);
    expect(told[0]).toMatchObject({
      counts: [{ reason: 'bad_request', count: 6 }],
      dropped_events: [{ message_id: 'm1' }, { message_id: 'm0' }],
      blocked_counts: [{ reason: 'suppressed', count: 2 }],
      adjusted_counts: [],
    });
  });

  test('violations, unknown keys and undecided definitions are added up over routers', async () => {
    await using place = await kept();
    const routers = [await startRouter(place), await startRouter(place, NOW + 5_000)];
    for (const { losses, source } of routers) {
      const counted = { type: 'track', kind: 'unplanned_event', count: 2 } as const;
      losses.sinks.violations.add(source, [{ ...counted, event: 'E' }, counted], [VIOLATION]);
      losses.sinks.unknownKeys.add('stale-key-of-an-old-fleet', 7);
      losses.sinks.undecided.add('tracking_plan', PLAN, RECEIVED);
      await losses.stop();
    }
    for (const { api, losses, source } of routers) {
      expect(await api.ok('GET', `/${source}/violations`)).toMatchObject({
        counts: [
          { type: 'track', kind: 'unplanned_event', count: 4 },
          { type: 'track', event: 'E', kind: 'unplanned_event', count: 4 },
        ],
        violations: [{ message_id: 'm' }, { message_id: 'm' }],
      });
      const first_time = new Date(NOW).toISOString();
      const key = { prefix: 'stal', event_count: 14, first_time, last_time: new Date(NOW + 5_000).toISOString() };
      expect(await api.ok('GET', '/unknown-keys')).toMatchObject({ event_count: 14, unknown_keys: [key] });
      expect(await losses.undecided([PLAN, 'other'])).toEqual(new Map([[PLAN, { count: 2, lastTime: RECEIVED }]]));
    }
  });

  test('SAFE-2: a name with a character that the database cannot hold is counted, and holds up nobody', async () => {
    await using place = await kept();
    const { api, losses, source } = await startRouter(place);
    const counted = { type: 'track', kind: 'unplanned_event', count: 1 } as const;
    losses.sinks.violations.add(source, [{ ...counted, event: 'n\0l' }], [{ ...VIOLATION, event: 'n\0l' }]);
    expect(await api.ok('GET', `/${source}/violations`)).toMatchObject({ counts: [{ event: 'n\uFFFDl', count: 1 }] });
    expect(await api.ok('GET', `/${source}/dropped-events`)).toMatchObject({ counts: [] });
  });

  test('a router sees at once what it lost itself', async () => {
    await using place = await kept();
    const { api, losses, source } = await startRouter(place);
    losses.sinks.dropped.add(source, new Map([['bad_request', 1]]), []);
    expect(await api.ok('GET', `/${source}/dropped-events`)).toMatchObject({ counts: [{ count: 1 }] });
  });

  test('names that senders choose are counted apart up to a bound, and the others still count', async () => {
    await using place = await kept();
    const shared = sharedState(place.database);
    for (const batch of [names('a'), names('b'), names('a')]) await shared.addLosses({ counts: batch, items: [] });
    const { counts } = await shared.losses({ owners: ['s'], lists: ['dropped'] });
    expect(counts.reduce((sum, one) => sum + one.count, 0)).toBe(3 * KEPT_DETAILS);
    expect(counts.find(({ detail }) => detail === 'a7')?.count).toBe(2);
    expect(counts).toHaveLength(KEPT_DETAILS + 1);
  });

  test('of each list the last hundred are kept, and a week of counts', async () => {
    await using place = await kept();
    const shared = sharedState(place.database);
    const counts = [{ ...ONE, count: 5 }];
    const items = Array.from({ length: 150 }, (_, at) => ({ owner: 's', list: 'dropped', item: String(at) }));
    await shared.addLosses({ counts, items });
    const query = { owners: ['s', 'other'], lists: ['dropped', 'blocked'] };
    const stored = await shared.losses(query);
    expect([stored.items.length, stored.items[0]?.item, stored.items.at(-1)?.item]).toEqual([100, '149', '50']);
    await moveBack(place, 6);
    expect(await shared.losses(query)).toMatchObject({ counts: [{ count: 5 }] });
    await moveBack(place, 1);
    await shared.tidy();
    const later = await shared.losses(query);
    expect(later).toMatchObject({ counts: [], items: [] });
    // What is told is what is counted: no more than a week.
    expect(later.since).toBeGreaterThan(stored.since - 7 * DAY);
    expect(later.since).toBeLessThan(stored.since);
  });

  test('AUD-9: an erasure removes what names its users, sent already or not, in its scope', async () => {
    await using place = await kept();
    const { losses } = await startRouter(place);
    const of = (source: string, event: string): void =>
      losses.sinks.violations.add(
        source,
        [{ type: 'track', kind: 'unplanned_event', event, count: 1 }],
        [{ ...VIOLATION, event }],
      );
    const countsOf = async (source: string) =>
      (await losses.violations(source)).counts.map(({ event = '', count }) => `${event} ${count}`).toSorted();
    const lastOf = async (source: string) => (await losses.violations(source)).last.map(({ event }) => event);
    for (const source of ['s/a', 's/b', 't/a']) for (const event of ['of "ada"', 'Canada']) of(source, event);
    expect(await lastOf('s/a')).toHaveLength(2);
    of('s/a', 'ada');
    await losses.eraseItems({ scope: 's', userIds: ['ada', '"ada"'] });
    expect([await lastOf('s/a'), await lastOf('s/b')]).toEqual([['Canada'], ['Canada']]);
    expect(await lastOf('t/a')).toHaveLength(2);
    expect([await countsOf('s/a'), await countsOf('s/b')]).toEqual([
      [' 2', 'Canada 1'],
      [' 1', 'Canada 1'],
    ]);
    expect(await countsOf('t/a')).toEqual(['Canada 1', 'of "ada" 1']);
    // What is counted without a name already is added to.
    of('s/b', 'ada');
    await losses.eraseItems({ scope: 's/b', userIds: ['ada'] });
    expect(await countsOf('s/b')).toEqual([' 2', 'Canada 1']);
    await losses.stop();
  });

  test('AUD-9: what is kept of one source is looked through at a time, and of no other scope', async () => {
    await using place = await kept();
    const owners = ['s', 's-1', 's/a', 's/b', 's0', 't/a'];
    const counts = owners.map((owner) => ({ ...ONE, owner, detail: 'ada' }));
    const items = owners.map((owner) => ({ owner, list: ONE.list, item: '{"event":"ada"}' }));
    const shared = sharedState(place.database);
    await shared.addLosses({ counts, items });
    const looks: string[] = [];
    const database: typeof place.database = {
      ...place.database,
      transaction: (work) => place.database.transaction((queries) => (looks.push('one'), work(queries))),
    };
    await sharedState(database).eraseItems({ scope: 's', userIds: ['ada'] });
    expect(looks).toHaveLength(4);
    const stored = await shared.losses({ owners, lists: [ONE.list] });
    expect(stored.items.map(({ owner }) => owner).toSorted()).toEqual(['s-1', 's0', 't/a']);
    expect(
      stored.counts
        .filter(({ detail }) => detail === '')
        .map(({ owner }) => owner)
        .toSorted(),
    ).toEqual(['s', 's/a', 's/b']);
  });

  test('routers that add the same at the same time lose nothing', async () => {
    await using place = await kept();
    const shared = sharedState(place.database);
    const counts = ['c', 'a', 'b'].map((owner) => ({ ...ONE, owner }));
    const items = counts.map(({ owner, list }) => ({ owner, list, item: '{}' }));
    const orders = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? counts : counts.toReversed()));
    await Promise.all(orders.map((order) => shared.addLosses({ counts: order, items })));
    const stored = await shared.losses({ owners: ['a', 'b', 'c'], lists: ['dropped'] });
    expect(stored.counts.map(({ count }) => count)).toEqual([20, 20, 20]);
    expect(stored.items).toHaveLength(60);
  });
});

function names(prefix: string): LossCount[] {
  return Array.from({ length: KEPT_DETAILS }, (_, at) => ({ ...ONE, detail: `${prefix}${at}` }));
}

/** As if what was added had been so many days ago. */
async function moveBack({ database }: PostgresPlace, days: number): Promise<void> {
  const ms = days * DAY;
  await database.run(
    script(`UPDATE loss_counts SET day = day - ${days}; UPDATE loss_items SET at = at - ${ms} - 1;
      UPDATE loss_began SET at = at - ${ms}`),
  );
}
