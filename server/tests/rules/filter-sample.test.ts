import { expect, test } from 'vitest';
import { Budget } from '../../evaluation/budget.ts';
import { isSampled } from '../../filters/sample.ts';
import type { FilterAction } from '../../model/resources.ts';
import type { Event } from '../../model/message.ts';
import { eventOf } from '../support/engine.ts';

const EVENTS = Array.from({ length: 2_000 }, (_, index) =>
  eventOf(0, { messageId: `m${index}`, userId: `u${index % 100}` }),
);

/** Which of the events pass, as text of 0 and 1. */
function passing(events: readonly Event[], action: Partial<FilterAction>, filter = 'f'): string {
  return events
    .map((event) => Number(isSampled(event, { type: 'sample_event', ...action }, filter, new Budget())))
    .join('');
}

const shareOf = (passed: string): number => passed.replaceAll('0', '').length / passed.length;

test('of an action that names no share, every event passes', () => {
  expect(passing(EVENTS, {})).toMatch(/^1+$/);
});

test.each([0.1, 0.5, 0.9])('a share of %d of the events passes, whatever the filter', (percent) => {
  const [one, other] = ['f', 'g'].map((filter) => passing(EVENTS, { percent }, filter));
  for (const passed of [one, other]) expect(Math.abs(shareOf(passed ?? '') - percent)).toBeLessThan(0.05);
  expect(one).not.toBe(other);
});

test('a larger share has all that are in a smaller one', () => {
  const [few, many] = [0.2, 0.6].map((percent) => passing(EVENTS, { percent }));
  const left = Array.from(few ?? '').filter((passed, index) => passed === '1' && many?.[index] !== '1');
  expect(left).toEqual([]);
});

test('with a path its value decides, whatever kind it is; without a value each event is for itself', () => {
  const sample = { percent: 0.5, path: String.raw`properties.a\.b` };
  for (const values of [
    ['x', 'y'],
    [1, 2],
    [{ c: 1 }, { c: 2 }],
    [false, true],
  ]) {
    const passed = values.map((value) =>
      passing(
        EVENTS.map((event) => ({ ...event, properties: { 'a.b': value } })),
        sample,
      ),
    );
    for (const one of passed) expect(one).toMatch(/^(?:0+|1+)$/);
  }
  const without = passing(EVENTS, sample);
  expect(without).toBe(passing(EVENTS, { percent: 0.5 }));
  const empty = passing(
    EVENTS.map((event) => ({ ...event, properties: { 'a.b': null } })),
    sample,
  );
  expect(empty).toBe(without);
});

test('many values of a path are spread as the share says', () => {
  const passed = passing(EVENTS, { percent: 0.5, path: 'userId' });
  const [first = '', ...others] = Array.from({ length: 20 }, (_, page) => passed.slice(page * 100, (page + 1) * 100));
  expect(others).toEqual(Array(19).fill(first));
  expect(Math.abs(shareOf(first) - 0.5)).toBeLessThan(0.2);
});

/** The steps that it takes to decide of an event by what it has at this path. */
function stepsOf(event: Event, path: string): number {
  const budget = new Budget();
  isSampled(event, { type: 'sample_event', percent: 0.5, path }, 'f', budget);
  return budget.used;
}

test('SAFE-2: what a hash is made of, and the hash itself, is taken from the budget', () => {
  const short = eventOf(0, { messageId: 'm' });
  const long = eventOf(0, { messageId: 'm', properties: { text: 'x'.repeat(10_000) } });
  expect(stepsOf(short, '')).toBeGreaterThan(400);
  expect(stepsOf(long, '')).toBe(stepsOf(short, ''));
  expect(stepsOf(long, 'properties.text')).toBeGreaterThan(stepsOf(short, '') + 10_000);
});
