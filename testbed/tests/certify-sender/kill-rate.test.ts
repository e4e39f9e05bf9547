import { beforeAll, expect, test } from 'vitest';
import { SENDER_GROUPS } from '../../certify-sender/scenarios/all.ts';
import { type Tried, tryFlawed, tryModel } from '../support/tried-senders.ts';

let tried: readonly Tried[] = [];
beforeAll(async () => {
  tried = await tryFlawed();
});

function isCaught({ caughtBy, found }: Tried): boolean {
  return found.some(({ id }) => id === caughtBy);
}

test('a sender without a flaw passes all that can be judged, and only what it does not promise is left unjudged', async () => {
  const { results } = await tryModel({});
  const left = results.filter(({ verdict }) => verdict !== 'passed');
  expect(left.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
    ['order', 'burst', 'burst-retries', 'rate'].map((id) => `${id} skipped`),
  );
  expect(left.filter(({ words }) => !/; say with --(?:ordered|max-per-second)/.test(words))).toEqual([]);
});

test('at least 95 % of at least thirty flawed senders are caught by what is there for them', () => {
  const missed = tried
    .filter((one) => !isCaught(one))
    .map(({ name, found }) => `${name}: only ${found.map(({ id }) => id).join(', ')}`);
  const rate = (100 * (tried.length - missed.length)) / tried.length;
  console.log(`sender certificate: ${tried.length - missed.length} of ${tried.length} flawed senders caught`, missed);
  expect(tried.length).toBeGreaterThanOrEqual(30);
  expect(rate, missed.join('\n')).toBeGreaterThanOrEqual(95);
});

test('a sender that something else alone finds counts as missed', () => {
  expect(isCaught({ name: 'x', caughtBy: 'signed', found: [] })).toBe(false);
});

test('what a failure says tells what to do, and holds no secret', () => {
  const words = tried.flatMap(({ found }) => found.map((one) => one.words));
  expect(words.filter((text) => !/;|\(/.test(text))).toEqual([]);
  expect(words.join('\n')).not.toContain('whsec_');
});

test('each scenario has an id of its own', () => {
  const ids = SENDER_GROUPS.flatMap(({ scenarios }) => scenarios.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
