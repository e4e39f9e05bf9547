import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differences } from '../../audiences/differences.ts';
import { isTime, nextRunAt } from '../../audiences/sync-times.ts';
import { compareUsers } from '../../audiences/user-order.ts';

type Rows = ReadonlyMap<string, string>;

const users = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '\u{FFFD}', '\u{1F600}', '\u{10FFFF}'),
  minLength: 1,
  maxLength: 3,
});
const rows = fc
  .dictionary(users, fc.constantFrom('true', 'false', '3'))
  .map((all): Rows => new Map(Object.entries(all)));

function inOrder(all: Rows): { user: string; value: string }[] {
  return [...all]
    .map(([user, value]) => ({ user, value }))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.user), Buffer.from(b.user)));
}

function pageOf(all: Rows, after: string | undefined, limit: number) {
  const behind = inOrder(all).filter(({ user }) => after === undefined || compareUsers(user, after) > 0);
  return { rows: behind.slice(0, limit), isMore: behind.length > limit };
}

/** What a walk through both lists, page by page, comes to. */
function walked(found: Rows, told: Rows, limits: readonly [number, number], differ: typeof differences) {
  const [changed, gone]: [Map<string, string>, Set<string>] = [new Map(), new Set()];
  let after: string | undefined;
  do {
    const results = pageOf(found, after, limits[0]);
    const page = differ(
      { ...results, rows: results.rows.map((row) => ({ ...row, since: 1 })) },
      pageOf(told, after, limits[1]),
    );
    for (const { user, value } of page.changed) changed.set(user, value);
    for (const { user } of page.gone) gone.add(user);
    if (page.upTo === after) break;
    after = page.upTo;
  } while (after !== undefined);
  return { changed, gone };
}

function walks(differ: typeof differences) {
  const limit = fc.integer({ min: 1, max: 4 });
  return fc.property(rows, rows, fc.tuple(limit, limit), (found, told, limits) => {
    const expected = {
      changed: new Map([...found].filter(([user, value]) => told.get(user) !== value)),
      gone: new Set([...told.keys()].filter((user) => !found.has(user))),
    };
    expect(walked(found, told, limits, differ)).toEqual(expected);
  });
}

test('AUD-3: page by page, exactly those are told whose value is another than the last they were told', () => {
  expect(fc.check(walks(differences), { seed: 2, numRuns: 500 })).toMatchObject({ failed: false });
});

const hasty: typeof differences = (found, told) => ({
  ...differences({ ...found, isMore: false }, { ...told, isMore: false }),
  upTo: differences(found, told).upTo,
});

test('AUD-3: a comparison that goes beyond what it has seen is found', () => {
  expect(fc.check(walks(hasty), { seed: 2, numRuns: 500 }).failed).toBe(true);
});

test('AUD-8: users are compared as storages order them', () => {
  fc.assert(
    fc.property(users, users, (one, other) => {
      expect(Math.sign(compareUsers(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
    }),
    { seed: 3 },
  );
});

const HOUR = 3_600_000;

test('AUD-4: the next run is two to three hours later, always as late for one audience', () => {
  const names = Array.from({ length: 200 }, (_, index) => `workspaces/main/audiences/aud_${index}`);
  const waits = names.map((name) => nextRunAt(name, { startedAt: 1_000 }, 2 * HOUR) - 1_000);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2 * HOUR);
  expect(Math.max(...waits)).toBeLessThan(3 * HOUR);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(0.9 * HOUR);
  expect(names.map((name) => nextRunAt(name, { startedAt: 1_000 }, 2 * HOUR) - 1_000)).toEqual(waits);
});

const last = { startedAt: 5 * HOUR, state: 'DONE', endedAt: 5 * HOUR } as const;

test('AUD-4: a new audience runs at once, and so does one whose last run is ahead of the clock', () => {
  expect(isTime('a', undefined, 0, 2 * HOUR)).toBe(true);
  expect(isTime('a', last, 4 * HOUR, 2 * HOUR)).toBe(true);
  expect(isTime('a', last, 6 * HOUR, 2 * HOUR)).toBe(false);
});

test('AUD-4: a run that failed is tried again ten minutes later', () => {
  const failed = { ...last, state: 'FAILED' } as const;
  expect(isTime('a', failed, 5 * HOUR + 9 * 60_000, 2 * HOUR)).toBe(false);
  expect(isTime('a', failed, 5 * HOUR + 10 * 60_000, 2 * HOUR)).toBe(true);
});
