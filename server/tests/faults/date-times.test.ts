import { expect, test } from 'vitest';
import { SchemaCompiler } from '../../http/schema-compiler.ts';

const isMoment = new SchemaCompiler({}, {}).compile({ type: 'string', format: 'date-time' });

test.each([
  '2026-11-30T01:02:03Z',
  '2026-11-30t01:02:03.123456789z',
  '2026-11-30 01:02:03+05:30',
  '2024-02-29T23:59:59-23:59',
])('%s is a moment', (text) => {
  expect([isMoment(text), Number.isNaN(Date.parse(text))]).toEqual([true, false]);
});

test.each([
  '2016-12-31T23:59:60Z',
  '2026-11-30T46:59:60+23:00',
  '2026-11-30T24:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-11-31T00:00:00Z',
  '2026-11-30T01:02:03',
  '2026-11-30T01:02:03+24:00',
  '2026-11-30\u20281:02:03Z',
  '2026-11-30',
  '9999-12-31T23:59:59-00:01',
  '0000-01-01T00:00:00+00:01',
  '',
])('%j is refused: it could be told nowhere as a moment', (text) => {
  expect(isMoment(text)).toBe(false);
});
