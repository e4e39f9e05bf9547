import { expect, test } from 'vitest';
import { createMemoryRateLimit, createSharedRateLimit } from '../../http/rate-limit.ts';
import { createAccessTokens } from '../../ingestion/access-tokens.ts';
import { createUsedAssertions, type UsedAssertions } from '../../ingestion/used-assertions.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { sharedState } from '../../storage/postgres/shared/shared-state.ts';
import { SWEEP_USED_IDS, usedIds } from '../../storage/postgres/shared/used-ids.ts';
import { sourceNamed } from '../support/ingestion-config-store.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import type { PostgresPlace } from '../support/postgres-schema.ts';
import { stillClock } from '../support/still-clock.ts';

const MINUTE = 60_000;
const SOURCE = 'workspaces/main/sources/js';

/** Lets so much time pass for what the tables remember. */
async function advance({ database }: PostgresPlace, ms: number): Promise<void> {
  await database.run(script(`UPDATE rates SET ends_at = ends_at - ${ms}; UPDATE used_ids SET until = until - ${ms}`));
}

describeWithPostgres('what routers of a PostgreSQL storage share', () => {
  const kept = keptPlaces();

  test('CFG-17: requests are counted over all routers, in windows of the database', async () => {
    await using place = await kept();
    const shared = sharedState(place.database);
    // Clocks of routers may be hours apart.
    const routers = [0, 9_000_000].map((now) => createSharedRateLimit(3, { shared, clock: stillClock(() => now) }));
    const take = async (router: number) => (await routers[router]?.take('access-tokens/a'))?.isWithin;
    expect([await take(0), await take(1), await take(0), await take(1), await take(0)]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(await routers[0]?.take('access-tokens/b')).toMatchObject({ isWithin: true, limit: 3, remaining: 2 });
    expect((await routers[0]?.take('access-tokens/a'))?.resetS).toBeGreaterThan(50);
  });

  test('CFG-17: two limits in memory count apart', async () => {
    const [one, other] = [createMemoryRateLimit(1), createMemoryRateLimit(1)];
    expect([(await one.take('a')).isWithin, (await other.take('a')).isWithin]).toEqual([true, true]);
  });

  test('CFG-17: requests that come at once are counted once each, and the next window begins anew', async () => {
    await using place = await kept();
    const shared = sharedState(place.database);
    const request = { key: 'a', windowMs: MINUTE };
    const counts = await Promise.all(Array.from({ length: 20 }, async () => (await shared.take(request)).count));
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await advance(place, MINUTE);
    expect(await shared.take(request)).toEqual({ count: 1, endsInMs: MINUTE });
    // The clock was set back by an hour.
    await advance(place, -60 * MINUTE);
    expect(await shared.take(request)).toEqual({ count: 1, endsInMs: MINUTE });
  });

  test('CFG-17: who goes on asking beyond the limit costs the storage nothing', async () => {
    let [asked, now] = [0, 0];
    const take = () => Promise.resolve({ count: (asked += 1), endsInMs: MINUTE });
    const limit = createSharedRateLimit(1, { shared: { take }, clock: stillClock(() => now) });
    for (let sent = 0; sent < 10; sent += 1) await limit.take('a');
    expect([asked, await limit.take('a')]).toEqual([2, { isWithin: false, limit: 1, remaining: 0, resetS: 60 }]);
    now = MINUTE;
    await limit.take('a');
    expect(asked).toBe(3);
  });

  test('ING-1: an assertion is accepted once over all routers, also when it reaches them at once', async () => {
    await using place = await kept();
    const [one, other] = [createRouter(place), createRouter(place)];
    const assertion = { id: `jti ${'x'.repeat(10_000)}`, expiresAt: MINUTE };
    const answers = await Promise.all([one, other, one, other].map((router) => router.use(SOURCE, assertion, 0)));
    expect(answers.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await one.use('workspaces/main/sources/other', assertion, 0)).toBe(true);
    await advance(place, MINUTE);
    expect(await other.use(SOURCE, assertion, 0)).toBe(true);
  });

  test('ING-1: used assertions of one source are bounded, and forgotten when they have expired', async () => {
    await using place = await kept();
    const shared = sharedState(place.database);
    const use = (id: string) => usedIds(place.database).useOnce({ owner: SOURCE, id, now: 0, forMs: MINUTE, limit: 2 });
    const tidy = async () => [await shared.tidy(), await place.database.run(SWEEP_USED_IDS, [10])];
    expect([await use('a'), await use('b'), await use('c'), await use('a')]).toEqual([
      'first',
      'first',
      'full',
      'again',
    ]);
    await shared.take({ key: 'k', windowMs: MINUTE });
    await tidy();
    expect(await rows(place)).toEqual({ ids: 2, rates: 1 });
    await advance(place, MINUTE);
    expect(await use('c')).toBe('first');
    await tidy();
    expect(await rows(place)).toEqual({ ids: 1, rates: 0 });
  });

  test('ING-1: a token that one router gave is good at every other, and at none of another storage', async () => {
    await using place = await kept();
    const clock = stillClock(() => Date.UTC(2026, 0, 1));
    const source = { ...sourceNamed(SOURCE, 'k'), oauth_keys: [{ key_id: 'k1', public_key: '' }] };
    const routers = await Promise.all(
      [0, 1, 2].map(async (index) => {
        const tokens = createAccessTokens(clock, sharedState(place.database));
        return { tokens, token: await tokens.issue(source, 'k1'), index };
      }),
    );
    for (const { tokens } of routers) for (const { token } of routers) await tokens.check(source, token);
    const alone = createAccessTokens(clock);
    await expect(alone.check(source, routers[0]?.token)).rejects.toThrow('get a new one at /token');
  });
});

function createRouter({ database }: PostgresPlace): UsedAssertions {
  return createUsedAssertions(usedIds(database));
}

async function rows({ database }: PostgresPlace): Promise<unknown> {
  const count = reads('count_shared', 'SELECT (SELECT count(*) FROM used_ids) ids, (SELECT count(*) FROM rates) rates');
  return (await database.run(count))[0];
}
