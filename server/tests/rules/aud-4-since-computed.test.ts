import { expect, test } from 'vitest';
import { sinceComputed } from '../../jobs/since-computed.ts';
import type { Sync } from '../../model/sync.ts';

const COMPUTATION = 'workspaces/main/audiences/aud_1';
const NONE = { sent: 0, held: 0, delivered: 0, failed: 0, expired: 0, superseded: 0 };

/** The first alone was computed. */
function syncOf(number: number): Sync {
  const computed = number === 1 ? { evaluated: 1, size: 1, entered: 1, left: 0 } : undefined;
  const cursor = { destinations: [] };
  return { ...NONE, computation: COMPUTATION, number, state: 'FAILED', startedAt: number, computed, cursor };
}

test.each([
  [1, 1],
  [19, 1],
  [4_300, 10],
])('AUD-4: behind %i syncs since the last that was computed, storage is asked %i times', async (since, times) => {
  const last = since + 1;
  const asked: number[] = [];
  const found = await sinceComputed(
    { computation: COMPUTATION, number: last + 1 },
    {
      listSyncs: async ({ before = last + 1, limit }) => {
        asked.push(limit);
        return Array.from({ length: Math.min(limit, before - 1) }, (_, index) => syncOf(before - 1 - index));
      },
    },
  );
  expect(found.map(({ number }) => number)).toEqual(Array.from({ length: last }, (_, index) => last - index));
  expect(asked).toHaveLength(times);
  expect(Math.max(...asked)).toBeLessThanOrEqual(500);
});
