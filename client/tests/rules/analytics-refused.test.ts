import { describe, expect, test } from 'vitest';
import type { Message } from '../../analytics/wire.ts';
import { bench } from '../support/analytics-bench.ts';

type Bench = ReturnType<typeof bench<false>>;

const namesOf = (messages: readonly Message[]): string => messages.map(({ event }) => event).join('');

const batches = ({ server }: Bench): string[] => server.requests.map(({ messages }) => namesOf(messages));

function trackEach({ analytics }: Bench, events: string, properties: object = {}): void {
  for (const event of events) analytics.track('u', event, { ...properties });
}

const over = (messages: number) =>
  bench({ uploadSize: 5 }, (_, received) => (received.messages.length > messages ? 413 : 200));

describe('a batch that is too large for the server', () => {
  test('goes on in halves, and in these, before all later ones', async () => {
    const it = over(2);
    trackEach(it, 'abcdefg');
    expect(await it.clock.until(it.analytics.flush())).toMatchObject({ delivered: 7, failed: 0 });
    expect(batches(it)).toEqual(['abcde', 'abc', 'ab', 'c', 'de', 'fg']);
    expect(namesOf(it.server.accepted)).toBe('abcdefg');
  });

  test('costs no wait, and its requests are counted on', async () => {
    const it = over(1);
    const start = it.clock.now();
    trackEach(it, 'abc');
    await it.clock.until(it.analytics.flush());
    expect(it.clock.now()).toBe(start);
    const counts = it.server.requests.map(({ headers }) => headers['x-retry-count']);
    expect(counts).toEqual([undefined, '1', '2', '2', '1']);
  });

  test('a message that is too large alone is refused alone, with its reason', async () => {
    const it = bench({}, (_, { text }) => (text.includes('"x"') ? 413 : 200));
    const failed: unknown[] = [];
    it.analytics.on('failed', ({ error }) => failed.push([error.reason, error.status, error.message]));
    trackEach(it, 'abcx'.repeat(25));
    expect(await it.clock.until(it.analytics.flush())).toMatchObject({ delivered: 75, failed: 25 });
    expect(namesOf(it.server.accepted)).toBe('abc'.repeat(25));
    expect(failed).toEqual(Array.from({ length: 25 }, () => ['rejected', 413, 'status 413']));
  });

  test('1 MB over a proxy that allows 64 KB arrives, in order', async () => {
    const it = bench({ uploadSize: 500 }, (_, { text }) => (text.length > 65_536 ? 413 : 200));
    for (let n = 0; n < 1_000; n += 1) it.analytics.track('u', `e${n}`, { pad: 'x'.repeat(1_000) });
    expect(await it.clock.until(it.analytics.flush())).toMatchObject({ delivered: 1_000 });
    expect(it.server.accepted.map(({ event }) => event)).toEqual(Array.from({ length: 1_000 }, (_, n) => `e${n}`));
  });

  test('its messages are held, and given up as others are', async () => {
    const it = bench({ uploadInterval: 3600 }, (n) => (n === 0 ? 413 : 'stall'));
    trackEach(it, 'abcd');
    const { heldBytes } = it.analytics.statistics;
    const closed = it.analytics.close({ timeoutMs: 10 });
    await it.clock.advance(5);
    expect(it.analytics.statistics).toMatchObject({ queued: 2, inFlight: 2, heldBytes });
    const { unsent } = await it.clock.until(closed);
    expect(unsent.map((message) => 'event' in message && message.event)).toEqual(['a', 'b', 'c', 'd']);
    expect(it.analytics.statistics).toMatchObject({ queued: 0, inFlight: 0, heldBytes: 0, failed: 4 });
  });
});
