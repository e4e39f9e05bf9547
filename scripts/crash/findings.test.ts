import { expect, test } from 'vitest';
import { faultsOf, findingsOf, givenUpIn, type Traces } from './findings.ts';

const REST = { tried: new Map(), unended: [], unknown: [], damage: undefined };

/** A receiver took each of these so often. */
function tracesOf(taken: Readonly<Record<string, number>>, more: Partial<Traces> = {}): Traces {
  const byId = new Map(Object.entries(taken).map(([id, times]) => [id, { taken: times, refused: 0 }]));
  const acknowledged = new Set(Object.keys(taken));
  return { acknowledged, arrivals: { byId, broken: 0 }, wrecks: [], stalled: [], rest: REST, ...more };
}

test('D-32: what came twice was being tried at a kill, or was given up by a router that stood still', () => {
  const wreck = { ...REST, trying: ['a'], taken: new Set(['a']) };
  const traces = tracesOf({ a: 2, b: 2, c: 1 }, { wrecks: [wreck], stalled: ['b'] });
  expect(faultsOf(findingsOf(traces))).toEqual([]);
  expect(faultsOf(findingsOf({ ...traces, stalled: [] }))).toEqual([
    '1 repeated without having been tried at a kill',
    '1 more repeated than was in flight at the kills, or given up',
  ]);
});

test('ING-10: what is lost was never sent, or refused each time', () => {
  const refused = new Map([['b', { taken: 0, refused: 3 }]]);
  const traces = { ...tracesOf({ a: 1 }), acknowledged: new Set(['b', 'c']), arrivals: { byId: refused, broken: 0 } };
  expect(faultsOf(findingsOf(traces))).toEqual([
    '2 acknowledged and never delivered: 1 never sent, 1 refused each time',
  ]);
});

test('what is wrong with a store that cannot be looked through is told', () => {
  const wrecks = ['the disk is gone', 'too late'].map((damage) => ({
    ...REST,
    damage,
    trying: [],
    taken: new Set<string>(),
  }));
  expect(faultsOf(findingsOf(tracesOf({ a: 1 }, { wrecks })))).toEqual(['2 delivery stores damaged: the disk is gone']);
});

test('the log of a router says what it gave up as it stood still', () => {
  const lines = [
    '{"messageId":"a","outcome":"router_stalled","msg":"attempt failed"}',
    '{"messageId":"b","outcome":"first_byte_timeout","msg":"attempt failed"}',
    '{"messageId":"a","outcome":"router_stalled","msg":"attempt failed"}',
    // Its last line, when it was killed.
    '{"messageId":"c","outcome":"router_stalled","ms',
  ];
  expect(givenUpIn(lines.join('\n'))).toEqual(['a', 'a']);
});
