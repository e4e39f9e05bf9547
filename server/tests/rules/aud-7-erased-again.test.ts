import { expect, test } from 'vitest';
import { createCatcher } from '../../audiences/catch.ts';
import type { Definition } from '../../model/definition.ts';
import { HOUR, SOURCE } from '../support/audience-world.ts';
import { settledWorld } from '../support/started-audience-world.ts';
import { eventOf } from '../support/engine.ts';

const MINUTE = 60_000;
const MAIN = 'workspaces/main';
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };

test('AUD-7: a user who comes again in the hour of its deletion is a profile again', async () => {
  const world = await settledWorld();
  await world.audience('quiet', { not: BOUGHT });
  await world.send({ userId: 'u1', event: 'Seen' });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['u1 quiet true']);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  await world.send({ userId: 'u1', event: 'Seen' });
  await world.advance(4 * HOUR);
  expect(world.told()).toEqual(['u1 quiet true', 'u1 quiet true']);
});

test('AUD-7: a visitor counts for the user whom it is seen with again in the hour of its deletion', async () => {
  const world = await settledWorld();
  await world.audience('buyers', BOUGHT);
  await world.send({ userId: 'u1', anonymousId: 'a1', event: 'Seen' });
  await world.advance(MINUTE);
  await world.regulate('Delete_Internal', 'u1');
  await world.advance(MINUTE);
  await world.send({ userId: 'u1', anonymousId: 'a1', event: 'Seen' });
  const { userId: _userId, ...visit } = eventOf(world.clock.now(), {
    messageId: 'v1',
    anonymousId: 'a1',
    event: 'Bought',
  });
  await world.pipeline.accept({ source: SOURCE, events: [visit] });
  await world.advance(4 * HOUR);
  expect(world.told()).toEqual(['u1 buyers true']);
});

/** Sends what no condition counts; answers whether it was caught. */
function startCatching() {
  let erasures: number | undefined = 0;
  const space = { id: `${MAIN}@1`, workspace: MAIN, measures: [] };
  const computations = () => ({ space, get: () => undefined });
  const catcher = createCatcher({ computations, erasures: () => erasures });
  const begin = () => {
    const batch = catcher.begin(MAIN);
    const isCaught = batch?.of(eventOf(0, { event: 'Seen', userId: 'u1' })) !== undefined;
    return { isCaught, stored: () => batch?.stored([true]) };
  };
  return {
    begin,
    send: (): boolean => {
      const { isCaught, stored } = begin();
      stored();
      return isCaught;
    },
    erase: (now: number | undefined): void => void (erasures = now),
  };
}

test('AUD-7: a pair of ids stays known until users are deleted, and nothing is caught twice', () => {
  const { send, erase } = startCatching();
  expect([send(), send(), send()]).toEqual([true, false, false]);
  erase(undefined);
  expect([send(), send()]).toEqual([true, true]);
  erase(1);
  expect([send(), send(), send()]).toEqual([true, false, false]);
});

test('AUD-7: a deletion that nobody saw under way is heard of by its end', () => {
  const { send, erase } = startCatching();
  expect([send(), send()]).toEqual([true, false]);
  erase(1);
  expect([send(), send()]).toEqual([true, false]);
});

test('AUD-7: what was being stored as a deletion began or ended is not known afterwards', () => {
  const { begin, send, erase } = startCatching();
  const [before] = [begin(), erase(undefined)];
  before.stored();
  const [during] = [begin(), erase(1)];
  during.stored();
  expect([send(), send()]).toEqual([true, false]);
});

test('AUD-7: the directory tells of deletions in a workspace until they end; of nothing else', async () => {
  const world = await settledWorld();
  const erasures = (): number | undefined => world.directory.erasures(MAIN);
  const before = erasures();
  await world.regulate('Suppress', 'u1');
  expect(erasures()).toBe(before);
  await world.regulate('Delete_Internal', 'u1');
  expect(erasures()).toBeUndefined();
  await world.advance(MINUTE);
  expect(erasures()).toBeTypeOf('number');
  expect(erasures()).not.toBe(before);
});
