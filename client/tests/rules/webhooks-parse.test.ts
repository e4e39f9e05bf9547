import { expect, test } from 'vitest';
import { parse, WEBHOOK_TYPES } from '../../webhooks/parse.ts';
import { BODIES } from '../support/webhooks-bodies.ts';

test.each(WEBHOOK_TYPES)('HOOK-12: a %s body is parsed to its own type', (type) => {
  expect(parse(JSON.stringify(BODIES[type]))).toEqual({ kind: 'event', event: BODIES[type] });
});

test('a field that is not known yet stays in the event', () => {
  const body = { ...BODIES.track, invented: { later: true } };
  expect(parse(new TextEncoder().encode(JSON.stringify(body)))).toEqual({ kind: 'event', event: body });
});

test('a kind that is not known yet is no error', () => {
  const body = { type: 'merge', userId: 'u' };
  expect(parse(JSON.stringify(body))).toEqual({ kind: 'unknown', type: 'merge', body });
});

test.each([
  ['', 'no JSON object'],
  ['[1]', 'no JSON object'],
  ['null', 'no JSON object'],
  ['{"version":1}', 'no type'],
  [JSON.stringify({ ...BODIES.track, event: 7 }), 'event: '],
  [JSON.stringify({ ...BODIES.track, version: '1' }), 'version: '],
  [JSON.stringify({ ...BODIES.page, timestamp: 'yesterday' }), 'timestamp: '],
])('%j is refused, and the problem is named', (body, problem) => {
  expect(parse(body)).toMatchObject({ kind: 'invalid', problem: expect.stringContaining(problem) });
});

test('bytes that are no UTF-8 are refused', () => {
  expect(parse(Uint8Array.of(0x7b, 0xff, 0x7d))).toMatchObject({ kind: 'invalid' });
});
