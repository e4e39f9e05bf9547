import { expect, test } from 'vitest';
import type { Observed } from '../../audit/observed.ts';
import type { OrderOptions } from '../../audit/order-audit.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { observe, type Twist } from '../support/sender.ts';

/** Every event fails at first, and users have many. */
const FAILING = { script: '503,delay:1s,200', events: 60, hours: 1, everyMs: 500 };
const IDS = Array.from({ length: 60 }, (_, index) => `m${index + 1}`);
const IN_ORDER = { inOrder: true } as const;

function verdict(sent: readonly Observed[], options: OrderOptions = {}): string | undefined {
  const { pass, message } = deliveryMatchers.toArriveInOrder(sent, options);
  return pass ? undefined : message();
}

function moved(change: (each: Observed, index: number, all: readonly Observed[]) => Partial<Observed>): Twist {
  return { ...IN_ORDER, history: (all) => all.map((each, index) => ({ ...each, ...change(each, index, all) })) };
}

/** What a sender does that ought to keep the order of each user, and what is said of it. */
const DISORDERLY: Readonly<Record<string, readonly [Twist, RegExp]>> = {
  'knows no order': [{ policy: { parkAfter: 1_000 } }, /order: #\d+ \(.*\) came (after|while) #\d+/],
  'lets later events overtake what it tries again': [{ policy: { maxWaitMs: 2_000 } }, /which was accepted later/],
  'does not wait for the answer': [
    moved(({ at, number }) => ({ at: number % 2 === 0 ? at : at - 900 })),
    /came (while|after)/,
  ],
  'sends the oldest once more at the end': [
    { ...IN_ORDER, history: (all) => [...all, ...all.slice(0, 1).map((each) => again(each, all))] },
    /m1\) came after/,
  ],
  'sends everything backwards': [
    moved((_, index, all) => ({ at: all.at(-1 - index)?.at ?? 0 })),
    /which was accepted later/,
  ],
};

function again(each: Observed, all: readonly Observed[]): Observed {
  return { ...each, number: all.length + 1, at: Math.max(...all.map(({ at }) => at)) + 60_000 };
}

test('toArriveInOrder has no complaint about the production engine', async () => {
  const sent = await observe(FAILING, IN_ORDER);
  expect(sent).toHaveLength(120);
  expect([verdict(sent), verdict(sent, { ids: IDS })]).toEqual([undefined, undefined]);
});

test.each(Object.entries(DISORDERLY))('a sender that %s is caught', async (_name, [twist, words]) => {
  const sent = await observe(FAILING, twist);
  expect(verdict(sent)).toMatch(words);
  expect(verdict(sent, { ids: IDS })).toMatch(words);
});

test('toArriveInOrder is not satisfied where nothing arrived', () => {
  expect(() => verdict([])).toThrow('nothing arrived at all');
  expect(() => deliveryMatchers.toArriveInOrder([], JSON.parse('{"order":[]}'))).toThrow('order');
});
