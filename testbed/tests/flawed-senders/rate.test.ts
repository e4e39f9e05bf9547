import { expect, test } from 'vitest';
import type { Limits } from '../../../server/delivery/pace.ts';
import type { Observed } from '../../audit/observed.ts';
import type { RateOptions } from '../../audit/rate-audit.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { observe } from '../support/sender.ts';

const RATE = { script: '200', events: 100, hours: 1, everyMs: 0 };
const SLOW = { script: 'delay:3s,200', events: 60, hours: 1, everyMs: 0 };

function verdict(sent: readonly Observed[], options: RateOptions): string | undefined {
  const { pass, message } = deliveryMatchers.toRespectRate(sent, { ...options, toleranceMs: 0 });
  return pass ? undefined : message();
}

/** What a sender does with a limit of 5 per second. */
const HURRIED: Readonly<Record<string, Limits>> = {
  'knows no limit': {},
  'sends at twice the rate': { perSecond: 10 },
  'sends at a rate that is 5 % too high': { perSecond: 5.25 },
  'limits what is in flight alone': { inFlight: 2 },
};

test('toRespectRate has no complaint about the production engine', async () => {
  for (const perSecond of [0.5, 5, 40]) {
    expect(verdict(await observe(RATE, { limits: { perSecond } }), { perSecond })).toBeUndefined();
  }
  for (const inFlight of [1, 4]) {
    expect(verdict(await observe(SLOW, { limits: { inFlight } }), { inFlight })).toBeUndefined();
  }
});

test.each(Object.entries(HURRIED))('a sender that %s is caught', async (_name, limits) => {
  expect(verdict(await observe(RATE, { limits }), { perSecond: 5 })).toMatch(/rate: #\d+ \(.*\) came \d+ ms too early/);
});

test('a sender that sends a second of events at once, each second, is caught', async () => {
  const sent = await observe(RATE, { limits: { perSecond: 5 } });
  const inBursts = sent.map((each) => ({ ...each, at: Math.floor(each.at / 1_000) * 1_000 }));
  expect(verdict(inBursts, { perSecond: 5 })).toContain('too early');
});

test('a sender with too much in flight is caught', async () => {
  const sent = await observe(SLOW, { limits: { inFlight: 3 } });
  expect(verdict(sent, { inFlight: 2 })).toContain('came while 2 requests were open, and 2 may be at once');
  expect(verdict(await observe(SLOW), { inFlight: 2 })).toContain('in-flight: ');
});

test('toRespectRate is not satisfied where nothing arrived, or nothing is asked', () => {
  expect(() => verdict([], { perSecond: 5 })).toThrow('nothing arrived at all');
  expect(() => deliveryMatchers.toRespectRate([], {})).toThrow('toRespectRate needs perSecond, inFlight or both');
});
