import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SuppressedPage, type SuppressedUsers, Suppressions } from '../../directory/suppressed-users.ts';
import { suppress } from '../../events/suppress.ts';
import type { Event } from '../../model/message.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import type { Regulation } from '../../model/resources.ts';
import type { Row } from '../../storage/config-store.ts';
import { regulation } from '../support/config-resources.ts';
import { eventOf } from '../support/engine.ts';

const listOf = (...users: readonly string[]): SuppressedUsers => new Set(users);

/** What the lists of a workspace and of its source leave of events. */
function pass(suppressed: readonly SuppressedUsers[], events: readonly Event[]) {
  const source = {
    name: 'workspaces/main/sources/js',
    workspace: 'workspaces/main',
    isOfNotices: false,
    version: 1,
    suppressed,
    plan: undefined,
    settings: LET_THROUGH,
    routes: [],
    undeliverable: [],
  };
  return suppress({ source, events });
}

const ofUser = (userId: string): Event => eventOf(0, { userId });
const ofVisitor = (anonymousId: string): Event => {
  const { userId: _none, ...event } = eventOf(0, { anonymousId });
  return event;
};

test('D-12: events of users on any of the lists are dropped as suppressed, the others kept in their order', () => {
  const events = ['u1', 'u2', 'u3', 'u4'].map(ofUser);
  const [first, second, third, fourth] = events;
  expect(pass([listOf('u1'), listOf('u3', 'u9')], events)).toEqual({
    kept: [second, fourth],
    losses: [
      { event: first, reason: 'suppressed' },
      { event: third, reason: 'suppressed' },
    ],
  });
});

test('D-12: ids that profiles know as one are of one suppressed user', () => {
  const [half, whole] = ['a\ud800', 'a\uFFFD'].map(ofUser);
  expect(
    pass(
      [listOf('a\uFFFD')],
      [half, whole].flatMap((event) => event ?? []),
    ).kept,
  ).toEqual([]);
});

test('D-12: an alias of a suppressed user is dropped, whichever of its two users that is', () => {
  const alias = eventOf(0, { type: 'alias', userId: 'new', previousId: 'old' });
  for (const user of ['new', 'old']) expect(pass([listOf(user)], [alias]).kept).toEqual([]);
  expect(pass([listOf('another')], [alias]).kept).toEqual([alias]);
});

test('D-12: what names no suppressed user goes on as it came, and nothing is told of', () => {
  const events = [ofUser('u1'), ofVisitor('u2')];
  for (const lists of [[], [listOf()], [listOf('u2')]]) {
    const outcome = pass(lists, events);
    expect(outcome).toStrictEqual({ kept: events });
    expect(outcome.kept).toBe(events);
  }
});

const SCOPE = 'workspaces/main';

function rowOf(sequence: number, type: Regulation['regulation_type'], user_ids: string[]): Row<Regulation> {
  return { sequence, resource: { ...regulation('main', `rg_${sequence}`), regulation_type: type, user_ids } };
}

/** Ids of a list, read in pages. */
function listed(suppressions: Suppressions, limit: number): string[] {
  const ids: string[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: SuppressedPage | undefined = suppressions.of(SCOPE)?.page({ after, limit });
    ids.push(...(page?.users ?? []).map(({ user_id }) => user_id));
    expect(page?.users.length ?? 0).toBeLessThanOrEqual(limit);
    after = page?.last;
  }
  return ids;
}

/** What regulations come to, one after another. */
function foldOf(rows: readonly Row<Regulation>[]): string[] {
  const ids = new Set<string>();
  for (const { resource } of rows.toSorted((one, other) => one.sequence - other.sequence)) {
    for (const id of resource.user_ids) {
      if (resource.regulation_type === 'Unsuppress') ids.delete(id);
      else if (resource.regulation_type === 'Suppress') ids.add(id);
    }
  }
  return [...ids];
}

const STEPS = fc.array(
  fc.record({
    sequence: fc.integer({ min: 1, max: 12 }),
    type: fc.constantFrom('Suppress' as const, 'Suppress' as const, 'Unsuppress' as const, 'Delete' as const),
    ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
    isThere: fc.boolean(),
  }),
  { maxLength: 30 },
);

test('CFG-25, D-12: whichever regulations come and are cancelled, in any order, lists are what the others say one after another', () => {
  fc.assert(
    fc.property(STEPS, fc.integer({ min: 1, max: 3 }), (steps, limit) => {
      const [rows, suppressions] = [new Map<number, Row<Regulation>>(), new Suppressions()];
      for (const { sequence, type, ids, isThere } of steps) {
        const row = isThere ? (rows.get(sequence) ?? rowOf(sequence, type, ids)) : undefined;
        suppressions.put(`rg_${sequence}`, row);
        if (row === undefined) rows.delete(sequence);
        else rows.set(sequence, row);
      }
      const wanted = foldOf([...rows.values()]);
      expect(listed(suppressions, limit)).toEqual(wanted);
      const has = (id: string): boolean => suppressions.of(SCOPE)?.has(id) === true;
      expect(['a', 'b', 'c', 'd'].filter(has)).toEqual(wanted.toSorted());
    }),
  );
});

test('SAFE-2: a regulation that is made or cancelled goes through its own users alone', () => {
  const suppressions = new Suppressions();
  let reads = 0;
  const counted = (ids: string[]): string[] =>
    new Proxy(ids, { get: (list, key) => ((reads += 1), Reflect.get(list, key)) });
  suppressions.put('rg_1', rowOf(1, 'Suppress', counted(['a', 'b'])));
  reads = 0;
  for (const sequence of [2, 3, 4]) suppressions.put(`rg_${sequence}`, rowOf(sequence, 'Suppress', ['a', 'c']));
  for (const sequence of [3, 2]) suppressions.put(`rg_${sequence}`, undefined);
  expect(suppressions.of(SCOPE)?.has('a')).toBe(true);
  expect(reads).toBe(0);
});

const many = (from: number): string[] => Array.from({ length: 5_000 }, (_, index) => `u${from + index}`);

test('SAFE-2: a page ends after so many looks, and the next one goes on behind them', () => {
  const suppressions = new Suppressions();
  for (let sequence = 1; sequence <= 8; sequence += 1) {
    suppressions.put(`rg_${sequence}`, rowOf(sequence, 'Suppress', many(0)));
  }
  suppressions.put('rg_9', rowOf(9, 'Suppress', many(5_000)));
  const first = suppressions.of(SCOPE)?.page({ after: 0, limit: 5_000 });
  expect(first?.users.length).toBeLessThan(5_000);
  expect(listed(suppressions, 5_000)).toEqual([...many(0), ...many(5_000)]);
});
