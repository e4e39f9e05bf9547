import { expect, test } from 'vitest';
import type { StoredDelivery } from '../../storage/memory/rows.ts';
import { checkRoundStories, endWith, faultsAfterwards, startWorld } from '../support/round-stories.ts';

const HOUR = 3_600_000;

/** `npm run test:properties` takes 100 000. */
const STORIES = 3_000;

test('HOOK-9, HOOK-10, HOOK-18: any course of outcomes keeps the rules of rounds', async () => {
  await expect(checkRoundStories(STORIES)).resolves.toBeUndefined();
});

test('HOOK-10: the checks find a course that breaks the rules', async () => {
  const { engine } = await startWorld(
    [{ webhooks: 2, ends: Uint8Array.of(endWith(500), endWith(404), 0), lasts: false }],
    1,
  );
  await engine.clock.advance(HOUR);
  const [good] = engine.store.deliveries;
  const [first, second, third] = good?.attempts ?? [];
  if (good === undefined || first === undefined || second === undefined || third === undefined) {
    throw new Error('the story has three attempts');
  }
  expect(faultsAfterwards(good)).toEqual([]);
  const faultsOf = (change: Partial<StoredDelivery>): string => faultsAfterwards({ ...good, ...change }).join();
  expect(faultsOf({ state: 'expired' })).toContain('delivered');
  expect(faultsOf({ state: 'failed', attempts: [first, second] })).toContain('failed');
  expect(faultsOf({ state: 'expired', attempts: [second] })).toContain('expired');
  expect(faultsOf({ state: 'pending' })).toContain('unfinished');
  expect(faultsOf({ round: 1 })).toContain('counted');
  const late = { ...first, startedAt: good.message.receivedAt + 4 * HOUR };
  expect(faultsOf({ attempts: [...good.attempts, late] })).toMatch(/after a success.*after the last try/);
  expect(faultsOf({ attempts: [...good.attempts, { ...second, startedAt: second.startedAt + 1 }] })).toContain(
    'refusal',
  );
});
