import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Analytics } from '../../analytics/analytics.ts';
import { bench } from '../support/analytics-bench.ts';

/**
 * What was measured of the most used Node library, row by row, and what this one does in its place. The bench
 * `scripts/bench/analytics-defects.ts` runs both and prints them side by side.
 */
describe('defects of the peer that this library has not', () => {
  test('unserializable values: the call says so, and no success is reported', async () => {
    const { analytics, clock, server } = bench();
    const story: string[] = [];
    analytics.on('delivered', () => story.push('delivered'));
    analytics.on('refused', ({ reason }) => story.push(reason));
    expect(analytics.track('u', 'e', { value: 1n })).toMatchObject({ ok: false, reason: 'unserializable' });
    expect(await clock.until(analytics.close())).toMatchObject({ delivered: 0 });
    expect(story).toEqual(['unserializable']);
    expect(server.requests).toHaveLength(0);
  });

  test('size check: 600 KB are refused, and 32 KB of any letter are taken', () => {
    const { analytics } = bench();
    const tooLarge = { ok: false, reason: 'event_too_large' };
    for (const letter of ['a', 'i']) {
      expect(analytics.track('u', 'e', { text: letter.repeat(600_000) })).toMatchObject(tooLarge);
      expect(analytics.track('u', 'e', { text: letter.repeat(40_000) })).toMatchObject(tooLarge);
      expect(analytics.track('u', 'e', { text: letter.repeat(32_000) })).toMatchObject({ ok: true });
    }
    expect(analytics.track('u', 'e', { text: 'é'.repeat(16_000) })).toMatchObject({ ok: true });
    expect(analytics.track('u', 'e', { text: 'é'.repeat(20_000) })).toMatchObject(tooLarge);
  });

  test('batch poisoning: what becomes of an object later harms no batch', async () => {
    const { analytics, clock, server } = bench();
    const properties: Record<string, unknown> = { v: 1 };
    analytics.track('u', 'one', properties);
    analytics.track('u', 'two');
    properties['self'] = properties;
    await clock.until(analytics.flush());
    expect(server.accepted.map((message) => message.event)).toEqual(['one', 'two']);
    expect(server.requests).toHaveLength(1);
  });

  test('queueing by reference: the values of the call are sent', async () => {
    const { analytics, clock, server } = bench();
    const properties = { v: 1 };
    analytics.track('u', 'e', properties);
    properties.v = 2;
    await clock.until(analytics.flush());
    expect(server.accepted[0]?.properties).toEqual({ v: 1 });
  });

  test('mutated context: the caller’s object stays as it was', () => {
    const context = { ip: '203.0.113.7' };
    bench().analytics.track({ userId: 'u', event: 'e', context });
    expect(context).toEqual({ ip: '203.0.113.7' });
  });

  test('unbounded memory: with the server down the queue holds what it may', async () => {
    const { analytics, clock } = bench({}, () => 503);
    for (let count = 0; count < 100_000; count += 1) analytics.track('u', 'e', { count });
    await clock.advance(60_000);
    const { queued, inFlight, heldBytes, refused } = analytics.statistics;
    expect(queued + inFlight).toBe(10_000);
    expect(heldBytes).toBeLessThan(4_000_000);
    expect(refused).toBe(90_000);
    await clock.until(analytics.close({ timeoutMs: 1 }));
    expect(analytics.statistics).toMatchObject({ queued: 0, inFlight: 0, heldBytes: 0, failed: 10_000 });
  });

  test('unlimited concurrency: 50 000 events make one request at a time', async () => {
    const { analytics, clock, server } = bench({ maxQueueSize: 50_000 });
    for (let count = 0; count < 50_000; count += 1) analytics.track('u', 'e');
    await clock.until(analytics.flush());
    expect(server.mostOpen).toBe(1);
    expect(server.accepted).toHaveLength(50_000);
  });

  test('bad ids: each of them is refused at the call', () => {
    const { analytics } = bench();
    const results = [
      analytics.identify(''),
      analytics.track('u', ''),
      analytics.group('u', ''),
      analytics.alias('', 'u'),
      analytics.group(null, 'g'),
    ];
    for (const result of results) expect(result).toMatchObject({ ok: false, reason: 'invalid_message' });
  });

  test('message ids: no two of them share a run of characters', () => {
    const { analytics } = bench();
    const ids = Array.from({ length: 500 }, () => analytics.track('u', 'e')).map((r) => (r.ok ? r.messageId : ''));
    const runs = ids.flatMap((id) => [id.slice(0, 8), id.slice(-12)]);
    expect(new Set(runs).size).toBe(runs.length);
  });

  test('listeners: any number of them, without a warning of the runtime', () => {
    const { analytics, log } = bench();
    const warned: unknown[] = [];
    const onWarning = (warning: unknown): unknown => warned.push(warning);
    process.on('warning', onWarning);
    for (let count = 0; count < 100; count += 1) analytics.on('delivered', () => {});
    process.off('warning', onWarning);
    expect([warned, log.lines]).toEqual([[], []]);
    expect(analytics).not.toBeInstanceOf(EventEmitter);
  });

  test('listeners: one that throws makes no failure of a delivery', async () => {
    const { analytics, clock, log } = bench();
    const told: string[] = [];
    analytics.on('delivered', () => {
      throw new Error('mine');
    });
    analytics.on('delivered', () => told.push('delivered'));
    analytics.on('failed', () => told.push('failed'));
    analytics.track('u', 'e');
    expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 1 });
    expect(told).toEqual(['delivered']);
    expect(log.lines).toEqual(['error [waybill] a callback or the store threw Error: mine']);
  });

  test('missing features: gzip, order, drop counters and statistics are there', () => {
    const { analytics } = bench({ gzip: true });
    analytics.track('u', 'e');
    expect(analytics.statistics).toMatchObject({ queued: 1, inFlight: 0, delivered: 0, failed: 0, refused: 0 });
    expect(Object.keys(analytics.statistics.dropped)).toContain('queue_full');
  });

  test('default import trouble: the entry has named exports alone', async () => {
    const entry = await import('../../analytics/index.ts');
    expect(entry).not.toHaveProperty('default');
    expect(entry.Analytics).toBe(Analytics);
  });
});
