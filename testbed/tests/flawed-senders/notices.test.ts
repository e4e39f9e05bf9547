import { expect, test } from 'vitest';
import { HOUR, NoticeWorld, type NoticeWorldOptions, SHOP } from '../../../server/tests/support/notice-world.ts';
import type { NoticeWish } from '../../audit/notice-audit.ts';
import type { Observed } from '../../audit/observed.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { type Exchange, recording, recordOf } from '../support/sender.ts';

/** The shop's webhook is down for an hour, twice; who hears of it fails at first, and then takes each notice. */
async function noticesOf(spoil?: NoticeWorldOptions['spoil']): Promise<readonly Observed[]> {
  const exchanges: Exchange[] = [];
  const world = new NoticeWorld({
    shop: (at) => (at < HOUR || (at > 6 * HOUR && at < 7 * HOUR) ? 500 : 200),
    hearing: recording('503,200', exchanges),
    ...(spoil && { spoil }),
  });
  await world.start();
  await world.pass(12 * HOUR);
  await world.stop();
  return exchanges.map((exchange, index) => recordOf(exchange, index, {}, exchanges));
}

const WISHES: readonly NoticeWish[] = [
  { type: 'destination.parked', destination: SHOP, times: 2 },
  { type: 'destination.recovered', destination: SHOP, times: 2 },
];

function complaints(sent: readonly Observed[], wishes = WISHES): string {
  const verdicts = wishes.map((wish) => deliveryMatchers.toHaveBeenNotified(sent, wish));
  return verdicts.flatMap(({ pass, message }) => (pass ? [] : [message()])).join('\n');
}

type Flaw = (all: readonly Observed[]) => readonly Observed[];

const isOf = ({ event }: Observed, name: string): boolean => event?.['event'] === name;
const about = ({ event }: Observed): object => Object(event?.['properties']);

function withEvent(each: Observed, change: object): Observed {
  return { ...each, event: { ...each.event, ...change } };
}

/** What a sender of notices may do, and what is said of it. */
const FLAWED: Readonly<Record<string, readonly [Flaw, RegExp]>> = {
  'tells nothing': [() => [], /0 of destination\.parked about .*, and 2 should have/],
  'does not tell of recoveries': [
    (all) => all.filter((each) => !isOf(each, 'destination.recovered')),
    /0 of destination\.recovered .*\n[^]*out of turn/,
  ],
  'gives up after the first failure': [
    (all) => all.filter((each, index) => index === all.findIndex((one) => isSame(one, each))),
    /0 of destination\.parked/,
  ],
  'tells each once more, under another id': [
    (all) => [...all, ...all.map((each) => late(withEvent(each, { messageId: `${idOf(each)}-2` })))],
    /said destination\.parked about .* once more/,
  ],
  'tells of each look': [
    (all) => [
      ...all,
      ...all.map((each) =>
        late(withEvent(each, { messageId: `${idOf(each)}-2`, properties: { ...about(each), since: 'later' } })),
      ),
    ],
    /4 of destination\.parked .* 2 should have/,
  ],
  'tells of another destination': [
    (all) => all.map((each) => withEvent(each, { properties: { ...about(each), destination: `${SHOP}-2` } })),
    /0 of destination\.parked/,
  ],
  'tells recovered before parked': [
    (all) => all.map((each) => (isOf(each, 'destination.parked') ? late(each) : each)),
    /out of turn/,
  ],
  'tells by identify calls': [(all) => all.map((each) => withEvent(each, { type: 'identify' })), /0 of destination/],
};

function idOf({ event }: Observed): string {
  return String(event?.['messageId']);
}

function isSame(one: Observed, other: Observed): boolean {
  return idOf(one) === idOf(other);
}

function late(each: Observed): Observed {
  return { ...each, at: each.at + 24 * HOUR };
}

const production = await noticesOf();

test('HOOK-26: toHaveBeenNotified has no complaint about the production notices', () => {
  expect(complaints(production)).toBe('');
  expect(complaints(production, [{ type: 'deliveries.given_up', times: 0 }])).toBe('');
});

test.each(Object.entries(FLAWED))('a sender that %s is caught', (_name, [flaw, words]) => {
  expect(complaints(flaw(production))).toMatch(words);
});

test('toHaveBeenNotified refuses what it does not know', () => {
  const wish: NoticeWish = JSON.parse('{"type":"destination.parked","count":1}');
  expect(() => deliveryMatchers.toHaveBeenNotified(production, wish)).toThrow('count');
});
