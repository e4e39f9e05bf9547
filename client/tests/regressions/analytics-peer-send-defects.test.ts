import { describe, expect, test } from 'vitest';
import { bench } from '../support/analytics-bench.ts';
import { runProgram } from '../support/analytics-program.ts';
import { receivingServer } from '../support/analytics-receiving-server.ts';

/** The rows of the table in `analytics-peer-defects.test.ts` that are about sending, flushing and ending. */
describe('defects of the peer in sending that this library has not', () => {
  test('flush: an event that is tracked into it is not waited for', async () => {
    const { analytics, clock } = bench({ uploadInterval: 10 }, [{ status: 429, retryAfter: '1' }, 200]);
    analytics.track('u', 'first');
    const start = clock.now();
    const flushed = analytics.flush();
    await clock.advance(200);
    analytics.track('u', 'second');
    expect(await clock.until(flushed)).toMatchObject({ delivered: 1 });
    expect(clock.now() - start).toBe(1000);
    expect(analytics.statistics.queued).toBe(1);
  });

  test('overlapping flush: the second waits for the data too', async () => {
    const { analytics, clock, server } = bench({}, ['stall', 200]);
    analytics.track('u', 'e');
    const flushes = [analytics.flush(), analytics.flush()];
    const delivered = Promise.all(flushes.map(async (flush) => [(await flush).delivered, server.accepted.length]));
    expect(await clock.until(delivered)).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  test('close timeout: the failure is reported, and the request is ended', async () => {
    const { analytics, clock, server } = bench({}, () => 'stall');
    const failures: unknown[] = [];
    analytics.on('failed', ({ error }) => failures.push(error.reason));
    analytics.track('u', 'e');
    const report = await clock.until(analytics.close({ timeoutMs: 300 }));
    expect(report.unsent).toHaveLength(1);
    expect(failures).toEqual(['abandoned']);
    await clock.advance(60_000);
    expect(server.open).toBe(0);
    expect(analytics.statistics).toMatchObject({ delivered: 0, failed: 1 });
  });

  test('result of an event: it comes with the answer, without delay', async () => {
    const { analytics, clock } = bench({ uploadSize: 1 });
    const start = clock.now();
    const settledAfter: number[] = [];
    analytics.track('u', 'e', {}, { onSettled: () => settledAfter.push(clock.now() - start) });
    await clock.until(analytics.close());
    expect(settledAfter).toEqual([0]);
  });

  test.each([429, 503])('Retry-After as a date is kept on %i', async (status) => {
    const retryAfter = 'Fri, 20 Nov 2026 12:00:42 GMT';
    const { analytics, clock, server } = bench({}, [{ status, retryAfter }, 200]);
    analytics.track('u', 'e');
    await clock.until(analytics.flush());
    expect(server.requests.map((request) => request.at - Date.parse('2026-11-20T12:00:00Z'))).toEqual([0, 42_000]);
  });

  test('order: a first batch that is retried arrives before the second', async () => {
    const { analytics, clock, server } = bench({ uploadSize: 1 }, [503, 200]);
    analytics.track('u', 'first');
    analytics.track('u', 'second');
    await clock.until(analytics.flush());
    expect(server.accepted.map((message) => message.event)).toEqual(['first', 'second']);
  });

  test('redirect: a 301 is an error, not a delivery', async () => {
    const { analytics, clock } = bench({}, [301]);
    analytics.track('u', 'e');
    expect(await clock.until(analytics.flush())).toMatchObject({ delivered: 0, failed: 1 });
    expect(analytics.statistics.dropped.redirected).toBe(1);
  });

  test('switched off: no success is reported for what is not sent', async () => {
    const { analytics, clock } = bench({ send: false });
    let count = 0;
    analytics.on('delivered', () => (count += 1));
    analytics.track('u', 'e', {}, { onSettled: () => (count += 1) });
    await clock.until(analytics.flush());
    expect([count, analytics.statistics.delivered]).toEqual([0, 0]);
  });

  test('SIGTERM: with closeOnSignal all is sent', async () => {
    await using server = await receivingServer();
    const program = runProgram('signalled.ts', [server.url, 'close']);
    await program.printed('tracked');
    program.child.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ signal: 'SIGTERM' });
    expect(server.accepted).toHaveLength(1);
  });

  test('natural end: all is sent, and no interval of an hour holds the process', async () => {
    await using server = await receivingServer();
    expect(await runProgram('natural-end.ts', [server.url, '9', '1', '{"uploadInterval":3600}']).ended).toMatchObject({
      code: 0,
    });
    expect(server.accepted).toHaveLength(9);
  });
});
