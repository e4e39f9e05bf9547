import { expect, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import { DAY, HOUR } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const bought = (more: object = {}): Definition => ({ events: { where: "event = 'Bought'", ...more } });
const A_DAY = { window: { within: '1d' } };
/** Longer than any wait for the next run. */
const NEXT_RUN = 3 * HOUR + 60_000;
const MINUTE = 60_000;

test('AUD-6: a longer window counts what is already known, without a new event (check 14)', async () => {
  const world = await startedWorld();
  const within = (hours: number): Definition => bought({ window: { within: `${hours}h` } });
  const name = await world.audience('buyers', within(7));
  for (const [userId, hours] of [
    ['u40', 30],
    ['u10', 10],
    ['u1', 0],
  ] as const) {
    await world.send({ userId });
    await world.advance(hours * HOUR + MINUTE);
  }
  expect(world.told().filter((one) => one.endsWith('false'))).toEqual(['u40 buyers false', 'u10 buyers false']);
  const before = world.told().length;
  await world.edit(name, { definition: within(30) });
  await world.advance(MINUTE);
  expect(world.told().slice(before)).toEqual(['u1 buyers true', 'u10 buyers true']);
  await world.edit(name, { definition: bought() });
  await world.advance(MINUTE);
  expect(world.told().slice(before + 2)).toEqual(['u40 buyers true']);
});

test('AUD-6: an event of the future counts from its receipt (check 8)', async () => {
  const world = await startedWorld();
  await world.audience('buyers', bought(A_DAY));
  await world.send({ timestamp: new Date(world.clock.now() + 3 * DAY).toISOString() });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 buyers true']);
  await world.advance(DAY + NEXT_RUN);
  expect(world.told()).toEqual(['u1 buyers true', 'u1 buyers false']);
  await world.advance(4 * DAY);
  expect(world.told()).toHaveLength(2);
});

test('AUD-6: an event that is sent again counts once, a day and a restart later twice (check 7)', async () => {
  const world = await startedWorld();
  await world.trait('orders', { counter: { where: "event = 'Bought'" } });
  const send = (): Promise<void> => world.send({ messageId: 'order-1' });
  await send();
  await world.restartJobs(HOUR);
  await send();
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual(['u1 orders 1']);
  await world.restartJobs(DAY);
  await send();
  await world.advance(NEXT_RUN);
  expect(world.told()).toEqual(['u1 orders 1', 'u1 orders 2']);
});
