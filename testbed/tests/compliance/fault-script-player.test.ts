import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BEGINNING, play } from '../../fault-script/index.ts';
import { toScript } from '../../index.ts';
import type { Script } from '../../index.ts';
import type { Turn } from '../../fault-script/index.ts';
import { anyScript } from '../support/any-script.ts';

/** The turns of a script for events of these types, one after another. */
function turns(script: Script, types: readonly (string | undefined)[], seed?: number): readonly Turn[] {
  let playhead = BEGINNING;
  return types.map((type) => {
    const played = play(script, playhead, { type }, seed);
    playhead = played.playhead;
    return played.turn;
  });
}

function steps(text: string, types: readonly (string | undefined)[]): readonly (number | undefined)[] {
  return turns(toScript(text), types).map(({ step }) => step);
}

function times(count: number, type?: string): readonly (string | undefined)[] {
  return Array.from({ length: count }, () => type);
}

test.each([
  ['503', [1, 1, 1]],
  ['503x2,200', [1, 1, 2, 2]],
  ['503,503,200', [1, 2, 3, 3]],
  ['503x2,delay:6s,200x3', [1, 1, 2, 3, 3, 3, 3]],
  ['503x*', [1, 1, 1]],
])('%s plays step after step, and its last step repeats', (text, played) => {
  expect(steps(text, times(played.length))).toEqual(played);
});

test('an event sees only the steps that are for it', () => {
  const types = ['identify', 'track', 'track', 'page', 'track', 'identify'];
  expect(steps('track:503x2,200x2,500', types)).toEqual([2, 1, 1, 2, 3, 3]);
});

test('the last step for a type repeats for that type', () => {
  expect(steps('track:503,identify:500', ['track', 'track', 'identify', 'track'])).toEqual([1, 1, 2, 1]);
});

test('what no step is for gets a plain 200', () => {
  const [turn] = turns(toScript('track:503'), ['identify']);
  expect(turn).toMatchObject({ step: undefined, behavior: { kind: 'answer', status: 200 } });
});

test('a request that is no event sees the steps for everything', () => {
  expect(steps('track:503,429', times(1))).toEqual([2]);
});

test('a turn tells which time its step is taken, and repetition', () => {
  const told = turns(toScript('503x2,200'), times(4)).map(({ time, repeats }) => [time, repeats]);
  expect(told).toEqual([
    [1, false],
    [2, false],
    [1, false],
    [2, true],
  ]);
});

test('a step passed over by chance keeps its times', () => {
  const played = turns(toScript('503+50% x3,200'), times(200)).map(({ step }) => step);
  expect(played.filter((step) => step === 1)).toHaveLength(3);
  expect(played.indexOf(2)).toBeLessThan(played.lastIndexOf(1));
});

test('a chance comes up as often as it says', () => {
  for (const [percent, least, most] of [
    ['1%', 150, 250],
    ['30%', 5800, 6200],
    ['99.5%', 19_860, 19_940],
  ] as const) {
    const played = turns([{ status: 503, chance: percent, times: 'always' }, { status: 200 }], times(20_000));
    const failed = played.filter(({ step }) => step === 1).length;
    expect(failed).toBeGreaterThan(least);
    expect(failed).toBeLessThan(most);
  }
});

test('a last step that is passed over by chance leaves a 200', () => {
  const statuses = turns(toScript('503+50%'), times(100)).map(
    ({ behavior }) => behavior.kind === 'answer' && behavior.status,
  );
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

test('a uniform delay fills its range evenly', () => {
  const delays = turns(toScript('delay:1s..3s'), times(20_000)).map(({ delayMs }) => delayMs);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(3000);
  const tenths = Array.from(
    { length: 10 },
    (_, at) => delays.filter((ms) => Math.min(9, Math.floor((ms - 1000) / 200)) === at).length,
  );
  for (const filled of tenths) expect(Math.abs(filled - 2000)).toBeLessThan(200);
});

test('a lognormal delay has its median and its spread', () => {
  const delays = turns(toScript('delay:800ms~0.5'), times(20_001)).map(({ delayMs }) => delayMs);
  const sorted = delays.toSorted((one, other) => one - other);
  expect(sorted[10_000]).toBeGreaterThan(780);
  expect(sorted[10_000]).toBeLessThan(820);
  // One sigma above the median: the 84.13th percentile lies at 800 ms × e^0.5.
  expect(sorted[16_826]).toBeGreaterThan(1270);
  expect(sorted[16_826]).toBeLessThan(1370);
});

test('chance and delay of one step do not hang together', () => {
  const played = turns(toScript('503+50%+delay:0ms..1000ms x*,200'), times(4000)).filter(({ step }) => step === 1);
  const mean = played.reduce((sum, { delayMs }) => sum + delayMs, 0) / played.length;
  expect(Math.abs(mean - 500)).toBeLessThan(30);
});

test('the same seed plays the same, another seed does not', () => {
  const script = toScript('503+30% x*,delay:1s..3s');
  const course = (seed: number) => JSON.stringify(turns(script, times(50), seed));
  expect(course(7)).toBe(course(7));
  expect(course(7)).not.toBe(course(8));
});

test("a step's own seed changes the course of that step", () => {
  expect(steps('503+30%+seed:1 x*,200', times(50))).toEqual(steps('503+30%+seed:1 x*,200', times(50)));
  expect(steps('503+30%+seed:1 x*,200', times(50))).not.toEqual(steps('503+30%+seed:2 x*,200', times(50)));
});

test('playing changes nothing that it was given', () => {
  const script = Object.freeze(toScript('503x2,200'));
  const playhead = Object.freeze({ requests: 1, taken: Object.freeze([1]) });
  expect(play(script, playhead, {})).toEqual(play(script, playhead, {}));
  expect(playhead).toEqual({ requests: 1, taken: [1] });
});

test('a playhead goes on after being copied as data', () => {
  fc.assert(
    fc.property(
      anyScript,
      fc.array(fc.constantFrom('track', 'page', undefined), { maxLength: 20 }),
      (script, types) => {
        let playhead = BEGINNING;
        const resumed = types.map((type) => {
          const played = play(script, structuredClone(playhead), { type }, 3);
          playhead = played.playhead;
          return played.turn;
        });
        expect(resumed).toEqual(turns(script, types, 3));
      },
    ),
  );
});

test('a step is never taken more often than its times, except the last', () => {
  fc.assert(
    fc.property(anyScript, fc.integer({ min: 1, max: 60 }), (script, count) => {
      const played = turns(script, times(count, 'track'));
      for (const [index, { times: allowed = 1 }] of script.slice(0, -1).entries()) {
        const taken = played.filter(({ step, repeats }) => step === index + 1 && !repeats).length;
        expect(taken).toBeLessThanOrEqual(allowed === 'always' ? count : allowed);
      }
    }),
  );
});
