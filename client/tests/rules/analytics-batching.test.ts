import { describe, expect, test } from 'vitest';
import { batchLength } from '../../analytics/batch.ts';
import { bench } from '../support/analytics-bench.ts';

/** The rule's own figures: those of the code could be wrong. */
const BATCH_BYTES = 500_000;
const EVENT_BYTES = 32_768;

type Bench = ReturnType<typeof bench<false>>;

const bytesOf = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length - 2;

function trackMany({ analytics }: Bench, count: number, properties: object = {}): void {
  for (let index = 0; index < count; index += 1) analytics.track('u', `e${index}`, { ...properties });
}

const sizes = ({ server }: Bench): number[] => server.requests.map((request) => request.messages.length);

/** The bytes of the requests that carry 17 messages, the last of them with this much more text. */
async function bytesWith(padding: number): Promise<number[]> {
  const it = bench({ uploadSize: 1_000 });
  trackMany(it, 16, { text: 'a'.repeat(30_000) });
  it.analytics.track('u', 'last', { text: 'a'.repeat(padding) });
  await it.clock.until(it.analytics.flush());
  return it.server.requests.map(({ text }) => text.length);
}

/** What a client holds of two messages of 20 KB each. */
function heldAfter(maxQueueBytes: number): { readonly queued: number; readonly heldBytes: number } {
  const { analytics } = bench({ maxQueueBytes });
  for (const messageId of ['a', 'b']) analytics.track('u', 'e', { text: 'a'.repeat(20_000) }, { messageId });
  const { queued, heldBytes } = analytics.statistics;
  return { queued, heldBytes };
}

describe('batches', () => {
  test('LIB-9: a full batch goes out at once', async () => {
    const it = bench();
    trackMany(it, 99);
    await it.clock.advance(499);
    expect(sizes(it)).toEqual([]);
    trackMany(it, 1);
    await it.clock.advance(0);
    expect(sizes(it)).toEqual([100]);
  });

  test('LIB-9: what is no full batch goes out after the interval', async () => {
    const it = bench({ uploadInterval: 2 });
    trackMany(it, 3);
    await it.clock.advance(1_999);
    expect(sizes(it)).toEqual([]);
    await it.clock.advance(1);
    expect(sizes(it)).toEqual([3]);
  });

  test('LIB-9: the interval counts from the last flush for what it left', async () => {
    const it = bench();
    await it.clock.advance(300);
    trackMany(it, 150);
    await it.clock.advance(499);
    expect(sizes(it)).toEqual([100]);
    await it.clock.advance(1);
    expect(sizes(it)).toEqual([100, 50]);
  });

  test('LIB-9: calls that keep coming do not put the interval off', async () => {
    const it = bench();
    const start = it.clock.now();
    for (let call = 0; call < 6; call += 1) {
      trackMany(it, 1);
      await it.clock.advance(200);
    }
    expect(sizes(it)).toEqual([3, 3]);
    expect(it.server.requests.map(({ at }) => at - start)).toEqual([500, 1_100]);
  });

  test('LIB-9: nothing runs while nothing is queued', async () => {
    const it = bench();
    expect(it.clock.pending).toBe(0);
    trackMany(it, 1);
    await it.clock.until(it.analytics.flush());
    expect(it.clock.pending).toBe(0);
  });

  test('LIB-10: a request stays within 500 KB, measured as it is sent', async () => {
    const it = bench();
    trackMany(it, 60, { text: 'ä'.repeat(14_000) });
    await it.clock.until(it.analytics.flush());
    const bytes = it.server.requests.map((request) => new TextEncoder().encode(request.text).length);
    expect(sizes(it)).toEqual([17, 17, 17, 9]);
    for (const size of bytes) expect(size).toBeLessThanOrEqual(BATCH_BYTES);
    expect(bytes[0]).toBeGreaterThan(BATCH_BYTES - EVENT_BYTES);
  });

  test('LIB-10: a request of 500 KB is one, and a byte more makes it two', async () => {
    const [unpadded = 0] = await bytesWith(0);
    expect(await bytesWith(BATCH_BYTES - unpadded)).toEqual([BATCH_BYTES]);
    expect(await bytesWith(BATCH_BYTES - unpadded + 1)).toHaveLength(2);
  });

  test('LIB-10: a message that is larger than a request goes out alone, as one from a store may be', () => {
    const item = { messageId: 'm', json: '{}', sequence: 1, onSettled: undefined };
    const items = [BATCH_BYTES + 1, 100].map((bytes) => ({ ...item, bytes }));
    expect(batchLength(items, 100, BATCH_BYTES)).toBe(1);
  });

  test('LIB-10: 500 KB go out at once, without waiting for the count', async () => {
    const it = bench({ uploadSize: 1000 });
    trackMany(it, 18, { text: 'a'.repeat(28_000) });
    await it.clock.advance(0);
    expect(sizes(it)).toEqual([17]);
  });

  test.each([
    'a',
    'i',
    '\u007f',
    '\u0080',
    'é',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '"',
    '\u2028',
    '\ud800',
    '😀',
    '\u{10000}',
    '\u{103ff}',
    '\u{10fc00}',
    '\u{10ffff}',
  ])('LIB-10: 32 KB of %j are measured in UTF-8', (unit) => {
    const { analytics } = bench();
    const properties = { text: '' };
    analytics.track('u', 'e', properties, { messageId: 'm' });
    const around = analytics.statistics.heldBytes;
    const units = Math.floor((EVENT_BYTES - around) / bytesOf(unit));
    const just = unit.repeat(units);
    const padding = 'a'.repeat(EVENT_BYTES - around - bytesOf(just));
    expect(analytics.track('u', 'e', { text: just + padding }, { messageId: 'm' })).toMatchObject({ ok: true });
    expect(analytics.track('u', 'e', { text: `${just}${padding}a` }, { messageId: 'm' })).toEqual({
      ok: false,
      reason: 'event_too_large',
      message: `the event takes ${EVENT_BYTES + 1} bytes, at most ${EVENT_BYTES} are allowed`,
    });
  });

  test('LIB-8: a full queue refuses new messages, and takes them again later', async () => {
    const it = bench({ maxQueueSize: 10 });
    trackMany(it, 10);
    const message = 'the queue is full';
    expect(it.analytics.track('u', 'e')).toEqual({ ok: false, reason: 'queue_full', message });
    expect(it.analytics.statistics).toMatchObject({ queued: 10, refused: 1, dropped: { queue_full: 1 } });
    await it.clock.until(it.analytics.flush());
    expect(it.analytics.statistics).toMatchObject({ queued: 0, inFlight: 0, heldBytes: 0 });
    expect(it.analytics.track('u', 'e')).toMatchObject({ ok: true });
    expect(it.server.accepted).toHaveLength(10);
  });

  test('LIB-8: messages in flight count as held', async () => {
    const it = bench({ maxQueueSize: 10, uploadSize: 5 }, () => 'stall');
    trackMany(it, 10);
    await it.clock.advance(0);
    expect(it.analytics.statistics).toMatchObject({ queued: 5, inFlight: 5 });
    expect(it.analytics.statistics.heldBytes).toBeGreaterThan(10 * 100);
    expect(it.analytics.track('u', 'e')).toMatchObject({ ok: false, reason: 'queue_full' });
  });

  test('LIB-8: the queue is bounded in bytes as well', () => {
    const it = bench({ maxQueueBytes: 100_000 });
    trackMany(it, 10, { text: 'a'.repeat(30_000) });
    expect(it.analytics.statistics).toMatchObject({ queued: 3, dropped: { queue_full: 7 } });
    expect(it.analytics.statistics.heldBytes).toBeLessThanOrEqual(100_000);
  });

  test('LIB-8: the queue is full to the last byte', () => {
    const both = heldAfter(100_000);
    const { heldBytes } = both;
    expect(both.queued).toBe(2);
    expect(heldAfter(heldBytes)).toEqual(both);
    expect(heldAfter(heldBytes - 1)).toEqual({ queued: 1, heldBytes: heldBytes / 2 });
  });

  test('one request is made at a time, in the order of the calls', async () => {
    const it = bench({ uploadSize: 7 });
    trackMany(it, 100);
    await it.clock.until(it.analytics.flush());
    expect(it.server.mostOpen).toBe(1);
    expect(it.server.accepted.map((message) => message.event)).toEqual(Array.from({ length: 100 }, (_, n) => `e${n}`));
  });

  test('more requests at a time stay within their bound', async () => {
    const it = bench({ uploadSize: 1, maxInFlight: 4 }, (n) => (n % 3 === 0 ? 503 : 200));
    trackMany(it, 100);
    await it.clock.until(it.analytics.flush());
    expect(it.server.mostOpen).toBe(4);
    expect(new Set(it.server.acceptedIds).size).toBe(100);
    expect(it.server.accepted).toHaveLength(100);
  });
});
