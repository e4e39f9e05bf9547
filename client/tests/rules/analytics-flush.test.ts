import { describe, expect, test } from 'vitest';
import { bench } from '../support/analytics-bench.ts';
import { settle } from '../support/analytics-virtual-clock.ts';

describe('flush', () => {
  test('LIB-3: it waits until all that was queued has ended', async () => {
    const { analytics, clock, server } = bench({ uploadSize: 2 }, [503, 200]);
    for (let count = 0; count < 5; count += 1) analytics.track('u', 'e');
    const report = await clock.until(analytics.flush());
    expect(report).toEqual({ timedOut: false, delivered: 5, failed: 0, pending: 0 });
    expect(server.accepted).toHaveLength(5);
  });

  test('LIB-3: with nothing queued it resolves at once', async () => {
    expect(await bench().analytics.flush()).toEqual({ timedOut: false, delivered: 0, failed: 0, pending: 0 });
  });

  test('LIB-3: it does not wait for messages that come later', async () => {
    const { analytics, clock, server } = bench({}, [{ status: 429, retryAfter: '1' }, 200, 'stall']);
    analytics.track('u', 'first');
    const flushed = analytics.flush();
    await clock.advance(200);
    analytics.track('u', 'later');
    expect(await clock.until(flushed)).toMatchObject({ delivered: 1 });
    expect(server.accepted.map((message) => message.event)).toEqual(['first']);
    expect(analytics.statistics).toMatchObject({ delivered: 1, inFlight: 1 });
  });

  test('LIB-3: a batch that holds later messages as well ends it', async () => {
    const { analytics, clock } = bench({ uploadSize: 2 });
    for (let count = 0; count < 3; count += 1) analytics.track('u', 'e');
    const flushed = analytics.flush();
    analytics.track('u', 'later');
    expect(await clock.until(flushed)).toEqual({ timedOut: false, delivered: 3, failed: 0, pending: 0 });
    expect(analytics.statistics).toMatchObject({ requests: 2, delivered: 4 });
  });

  test('LIB-3: overlapping flushes each wait for their own', async () => {
    const { analytics, clock, server } = bench({}, [503, 200, 'stall', 200]);
    analytics.track('u', 'one');
    const first = analytics.flush();
    analytics.track('u', 'two');
    const second = analytics.flush();
    const same = analytics.flush();
    expect(await clock.until(first)).toMatchObject({ delivered: 1 });
    expect(server.accepted).toHaveLength(1);
    expect(await clock.until(Promise.all([second, same]))).toEqual([
      { timedOut: false, delivered: 2, failed: 0, pending: 0 },
      { timedOut: false, delivered: 2, failed: 0, pending: 0 },
    ]);
    expect(server.accepted).toHaveLength(2);
  });

  test.each(['flush', 'close'] as const)(
    'LIB-3: a %s that a callback calls waits for what is still held, and for no more',
    async (wait) => {
      const { analytics, clock, server } = bench({ uploadSize: 2 });
      const waited = new Promise((resolve) => {
        analytics.track('u', 'e', {}, { onSettled: () => resolve(analytics[wait]()) });
      });
      for (let count = 1; count < 5; count += 1) analytics.track('u', 'e');
      await clock.advance(1_000);
      expect(server.accepted).toHaveLength(5);
      expect(await clock.until(waited)).toMatchObject({ timedOut: false, delivered: 3 });
      expect(clock.pending).toBe(0);
    },
  );

  test('a flush that times out says what is pending, and loses nothing', async () => {
    const { analytics, clock, server } = bench({}, ['stall', 200]);
    analytics.track('u', 'e');
    const report = await clock.until(analytics.flush({ timeoutMs: 1000 }));
    expect(report).toEqual({ timedOut: true, delivered: 0, failed: 0, pending: 1 });
    expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 1 });
    expect(server.accepted).toHaveLength(1);
  });

  test('a flush counts what was given up', async () => {
    const { analytics, clock } = bench({}, [400]);
    analytics.track('u', 'e');
    expect(await clock.until(analytics.flush())).toEqual({ timedOut: false, delivered: 0, failed: 1, pending: 0 });
  });
});

describe('close', () => {
  test('it flushes, and refuses later calls with a reason', async () => {
    const { analytics, clock, server, log } = bench();
    analytics.track('u', 'e');
    const closing = analytics.close();
    expect(analytics.track('u', 'late')).toMatchObject({ ok: false, reason: 'closed' });
    expect(await clock.until(closing)).toEqual({ timedOut: false, delivered: 1, unsent: [] });
    expect(analytics.track('u', 'late')).toMatchObject({ ok: false, reason: 'closed' });
    expect(server.accepted).toHaveLength(1);
    expect(analytics.statistics.dropped.closed).toBe(2);
    // Nothing else is said: there is no store to close.
    expect(new Set(log.lines)).toEqual(new Set([expect.stringContaining('track was not queued (closed)')]));
  });

  test('when its time is over it reports what it could not send', async () => {
    const errors: unknown[] = [];
    const onError = (error: Error, items: readonly object[]): unknown => errors.push([error.message, items.length]);
    const { analytics, clock, server } = bench({ uploadSize: 2, onError }, () => 'stall');
    for (const event of ['a', 'b', 'c']) analytics.track('u', event);
    const report = await clock.until(analytics.close({ timeoutMs: 300 }));
    expect(report).toMatchObject({ timedOut: true, delivered: 0 });
    expect(report.unsent.map((message) => message.event)).toEqual(['a', 'b', 'c']);
    expect(errors).toEqual([['close timed out after 300 ms', 3]]);
    await settle();
    expect(server.open).toBe(0);
    expect(clock.pending).toBe(0);
    expect(analytics.statistics).toMatchObject({ queued: 0, inFlight: 0, heldBytes: 0, failed: 3 });
  });

  test('what it gives up says of what the last attempt failed', async () => {
    const { analytics, clock, log } = bench({}, () => 'reset');
    analytics.track('u', 'e');
    await clock.until(analytics.close({ timeoutMs: 300 }));
    const why = 'close timed out after 300 ms (fetch failed: read ECONNRESET)';
    expect(log.lines).toEqual([`warn [waybill] 1 messages were not delivered (abandoned): ${why}`]);
  });

  test('a failure before a delivery is no reason for what is given up later', async () => {
    const { analytics, clock, log } = bench({ uploadSize: 1 }, ['reset', 200, 'stall']);
    for (const event of ['a', 'b']) analytics.track('u', event);
    await clock.until(analytics.close({ timeoutMs: 3_000 }));
    expect(log.lines).toEqual([expect.stringMatching(/^warn .* 1 messages .*: close timed out after 3000 ms$/)]);
  });

  test('what is given up while it waits is reported too', async () => {
    const { analytics, clock } = bench({}, [400]);
    analytics.track('u', 'bad');
    const report = await clock.until(analytics.close());
    expect(report.unsent).toEqual([expect.objectContaining({ event: 'bad' })]);
    expect(report.timedOut).toBe(false);
  });

  test('a fetch that ignores its signal holds nothing up', async () => {
    const { analytics, clock } = bench({}, () => 'stall deaf');
    analytics.track('u', 'e');
    expect(await clock.until(analytics.close({ timeoutMs: 10 }))).toMatchObject({ timedOut: true });
    expect(clock.pending).toBe(0);
  });

  test('it ends waits for a retry', async () => {
    const { analytics, clock, server } = bench({}, [{ status: 429, retryAfter: '300' }]);
    analytics.track('u', 'e');
    const before = clock.now();
    await clock.until(analytics.close({ timeoutMs: 50 }));
    expect(clock.now() - before).toBe(50);
    await settle();
    expect(clock.pending).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('a second close gives the report of the first', async () => {
    const { analytics, clock } = bench();
    analytics.track('u', 'e');
    const [first, second] = await clock.until(Promise.all([analytics.close(), analytics.close()]));
    expect(second).toBe(first);
  });

  test('a flush after it resolves at once', async () => {
    const { analytics, clock } = bench();
    await clock.until(analytics.close());
    expect(await analytics.flush()).toMatchObject({ timedOut: false });
  });
});
