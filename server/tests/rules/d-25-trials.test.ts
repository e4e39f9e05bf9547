import { expect, test } from 'vitest';
import { isTried, type Standing, standingAfter, TrialPace, tried } from '../../delivery/trials.ts';
import type { RoundResult } from '../../delivery/round.ts';

const ALL: readonly Standing[] = ['new', 'on trial', 'answers', 'fails'];

test.each<readonly [RoundResult, readonly Standing[]]>([
  ['delivered', ['answers', 'answers', 'answers', 'answers']],
  ['refused', ['answers', 'answers', 'answers', 'answers']],
  ['unsent', ['answers', 'answers', 'answers', 'answers']],
  ['failed', ['fails', 'fails', 'fails', 'fails']],
  ['unjudged', ALL],
])('D-25: a round that ended as %s says how a destination is', (result, after) => {
  expect(ALL.map((before) => standingAfter(before, result))).toEqual(after);
});

test('D-25: what has waited is a trial where nothing is known, or the last round failed; what was just accepted is none', () => {
  expect(ALL.map(tried)).toEqual(['on trial', 'on trial', 'answers', 'fails']);
  expect(ALL.filter(isTried)).toEqual(['on trial', 'fails']);
});

/** How many are made within a time, by somebody who looks each millisecond. */
function madeWithin(pace: TrialPace, from: number, to: number): number {
  let made = 0;
  for (let at = from; at < to; at += 1) {
    for (; pace.freeAt <= at; made += 1) pace.take(at);
  }
  return made;
}

test('D-25: trials are evenly apart, and what was not made is made up for once, for a moment', () => {
  const pace = new TrialPace(500);
  expect(madeWithin(pace, 1_000, 1_001)).toBe(16);
  expect(madeWithin(pace, 1_001, 2_001)).toBe(500);
  expect(madeWithin(pace, 5_000, 5_001)).toBe(16);
});

test('D-25: a trial that got an answer counts as none', () => {
  const pace = new TrialPace(500);
  expect(madeWithin(pace, 1_000, 1_001)).toBe(16);
  for (let answer = 0; answer < 3; answer += 1) pace.giveBack();
  expect(madeWithin(pace, 1_001, 1_002)).toBe(3);
  for (let answer = 0; answer < 1_000; answer += 1) pace.giveBack();
  expect(madeWithin(pace, 1_002, 1_003)).toBe(16);
});

test('D-25: however slow the pace, the first is made at once', () => {
  const pace = new TrialPace(0.5);
  expect(madeWithin(pace, 1_000, 3_000)).toBe(1);
  expect(madeWithin(pace, 3_000, 5_000)).toBe(1);
});
