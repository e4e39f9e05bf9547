import { describe, expect, test } from 'vitest';
import { bench } from '../support/analytics-bench.ts';

async function timestampOf(timestamp: unknown): Promise<unknown> {
  const { analytics, clock, server } = bench();
  const result: unknown = Reflect.apply(analytics.track, undefined, ['u', 'e', {}, { timestamp }]);
  await clock.until(analytics.flush());
  return server.accepted[0]?.timestamp ?? result;
}

describe('timestamps', () => {
  test('LIB-17: a Date is sent as its instant in UTC', async () => {
    expect(await timestampOf(new Date('2026-01-31T12:00:00.123+05:00'))).toBe('2026-01-31T07:00:00.123Z');
  });

  test.each([
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:00.123456789+05:30',
    '2024-02-29T23:59:59-0800',
  ])('LIB-17: %s has a zone, and is sent as it stands', async (text) => {
    expect(await timestampOf(text)).toBe(text);
  });

  test.each([
    '2014-09-03T01:02:03',
    '2014-09-03',
    '2014-09-03 01:02:03Z',
    '2023-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:00:00+24:00',
    'yesterday',
    '',
    // Milliseconds that were taken for seconds, and a year before the first.
    new Date(1_763_640_000_000_000),
    new Date(-62_167_219_200_001),
  ])('LIB-17: %j names no instant, and is refused', async (text) => {
    expect(await timestampOf(text)).toMatchObject({
      ok: false,
      reason: 'invalid_message',
      message: expect.stringContaining('names no instant'),
    });
  });

  test('LIB-17: of a long text its beginning is named', async () => {
    expect(await timestampOf('x'.repeat(50))).toMatchObject({
      message: `timestamp "${'x'.repeat(40)}" names no instant such as 2026-01-31T12:00:00Z`,
    });
  });

  test('LIB-17: an invalid Date is refused', async () => {
    expect(await timestampOf(new Date('nonsense'))).toMatchObject({
      reason: 'invalid_message',
      message: 'timestamp "Invalid Date" names no instant such as 2026-01-31T12:00:00Z',
    });
  });

  test('LIB-17: a number is refused', async () => {
    expect(await timestampOf(1_700_000_000)).toMatchObject({
      reason: 'invalid_message',
      message: expect.stringContaining('got: number'),
    });
  });

  test.each([undefined, null])('a timestamp of %s is the time of the call, not of the sending', async (none) => {
    expect(await timestampOf(none)).toBe('2026-11-20T12:00:00.000Z');
  });

  test('each request says when it was sent, retries too', async () => {
    const { analytics, clock, server } = bench({}, [503, 200]);
    analytics.track('u', 'e');
    await clock.until(analytics.flush());
    expect(server.requests.map((request) => request.sentAt)).toEqual([
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T12:00:00.375Z',
    ]);
    expect(server.accepted[0]?.timestamp).toBe('2026-11-20T12:00:00.000Z');
  });
});
