import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { caught, measure, space } from '../conformance/profile-place.ts';
import { postgresProfilesPlace } from '../conformance/postgres-profiles-place.ts';
import { eventOf } from '../support/engine.ts';
import { HOSTILE_CONDITIONS } from '../support/hostile-definitions.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';
import { MAX_MS, processorMsSince } from '../support/processor-time.ts';

const [CONDITION = '', { properties = {} } = eventOf(0)] = HOSTILE_CONDITIONS['a pattern of the event with gaps'] ?? [];

/** The longest turn while something goes on. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  work.then(end, end);
  while (!state.isOver) {
    const before = process.threadCpuUsage();
    await nextTurn();
    longest = Math.max(longest, processorMsSince(before));
  }
  await work;
  return longest;
}

describeWithPostgres('folding what was made to take long', () => {
  test('SAFE-2: others have their turn between two events', async () => {
    const place = postgresProfilesPlace(await postgresPlace());
    try {
      const slow = Array.from({ length: 10 }, (_, at) => measure('amounts', `${CONDITION} or event = "x${at}"`));
      const fold = () => place.profiles.fold({ spaces: async () => [space(...slow)], limit: 1_000 });
      await fold();
      let longest = Infinity;
      // The best of a few: what the process does beside it counts too.
      for (let run = 0; run < 4 && longest > MAX_MS; run += 1) {
        const events = Array.from({ length: 8 }, (_, at) => caught(at - 20, { userId: 'ada', event: 'E', properties }));
        await place.catches(events);
        longest = Math.min(longest, await longestTurn(fold()));
      }
      expect(longest).toBeLessThan(MAX_MS);
      expect(await place.waiting()).toBe(0);
    } finally {
      await place.end();
    }
  });
});
