import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { DAY, HOUR } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const BUYERS = { events: { where: "event = 'Bought'", window: { within: '2d' } } };
/** From when to when the receiver takes nothing, behind the start. */
const DOWN = { from: 2 * DAY + 5 * HOUR, to: 3 * DAY } as const;

test('AUD-4, AUD-8: in a week of syncs each begins two to three hours after the last, and a receiver that was down knows all in the end', async () => {
  const startedAt = { at: 0 };
  const isDown = (at: number): boolean => at >= startedAt.at + DOWN.from && at < startedAt.at + DOWN.to;
  const world = await startedWorld({ endpoint: ({ at }) => answers(isDown(at) ? 503 : 200) });
  startedAt.at = world.clock.steady();
  const name = await world.audience('buyers', BUYERS);
  for (let day = 0; day < 7; day += 1) {
    // Each buys on every other day until the fifth; the last one once, while the receiver is down.
    if (day < 5) await world.send({ userId: `u${day % 2}` });
    if (day === 2) {
      await world.advance(8 * HOUR);
      await world.send({ userId: 'once' });
      await world.advance(16 * HOUR);
    } else await world.advance(DAY);
  }
  const syncs = (await world.syncs(name)).toReversed();
  const gaps = syncs.slice(1).map((sync, index) => sync.startedAt - (syncs[index]?.startedAt ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2 * HOUR);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(3 * HOUR);
  expect(syncs.length).toBeGreaterThanOrEqual((7 * DAY) / (3 * HOUR));
  expect(new Set(syncs.map(({ state }) => state))).toEqual(new Set(['DONE']));
  // The outage is longer than retries go on: the runs after it tell what never came.
  const last = new Map(world.heard().map(({ user, value }) => [user, value]));
  expect(last).toEqual(
    new Map([
      ['u0', false],
      ['u1', false],
      ['once', false],
    ]),
  );
  expect(world.told().filter((one) => one.startsWith('once'))).toEqual(['once buyers true', 'once buyers false']);
});
