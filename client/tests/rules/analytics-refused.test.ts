import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../analytics/store.ts';
import type { Message } from '../../analytics/wire.ts';
import { bench } from '../support/analytics-bench.ts';
import type { Received, Step } from '../support/analytics-fake-server.ts';

type Bench = ReturnType<typeof bench<false>>;

const namesOf = (messages: readonly Message[]): string => messages.map(({ event }) => event).join('');

const batches = ({ server }: Bench): string[] => server.requests.map(({ messages }) => namesOf(messages));

function trackEach({ analytics }: Bench, events: string): void {
  for (const event of events) analytics.track('u', event, {});
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

/** As a firewall answers to what it takes for an attack. */
const PAGE: Step = { status: 200, body: '<html>The requested URL was rejected.</html>' };

/** A server that refuses each request with one of these events in it. */
const refusing =
  (events: string, status: Step = 500) =>
  (_: number, { messages }: Received): Step =>
    messages.some(({ event }) => events.includes(event ?? '')) ? status : 200;

/** A store that says what is left in it. */
function memoryStore() {
  const left = new Map<string, StoredMessage>();
  return {
    left,
    recover: () => [],
    add: (message: StoredMessage) => void left.set(message.messageId, message),
    end: (ids: readonly string[]) => ids.forEach((id) => left.delete(id)),
    close: () => {},
  };
}

const failures = ({ analytics }: Bench): unknown[] => {
  const failed: unknown[] = [];
  analytics.on('failed', ({ messageIds, error }) => failed.push([messageIds.length, error.reason, error.status]));
  return failed;
};

describe('a batch that is always refused', () => {
  test('lets others go first after five answers, and goes on in halves once they were delivered', async () => {
    const it = bench({ uploadSize: 4 }, refusing('x'));
    const failed = failures(it);
    trackEach(it, 'abxdefghi');
    expect(await it.clock.until(it.analytics.flush())).toMatchObject({ delivered: 8, failed: 1 });
    expect(batches(it).slice(0, 11)).toEqual([
      ...Array.from({ length: 5 }, () => 'abxd'),
      'efgh',
      'abxd',
      'i',
      'ab',
      'xd',
      'x',
    ]);
    expect(namesOf(it.server.accepted)).toBe('efghiabd');
    expect(failed).toEqual([[1, 'retries_exhausted', 500]]);
  });

  test('goes on in halves also when nothing else waits', async () => {
    const it = bench({}, refusing('xy'));
    trackEach(it, 'abcdxefghijklymno');
    expect(await it.clock.until(it.analytics.flush())).toMatchObject({ delivered: 15, failed: 2 });
  });

  test('holds up nothing while it waits, once others were delivered', async () => {
    const it = bench({ uploadSize: 1 }, refusing('x'));
    const started = it.clock.now();
    trackEach(it, 'x');
    for (let n = 0; n < 120; n += 1) {
      trackEach(it, 'b');
      await it.clock.advance(1_000);
    }
    const others = it.server.requests.filter(({ messages }) => namesOf(messages) === 'b').map(({ at }) => at - started);
    // The waits of its first five attempts.
    expect(others.filter((at) => at % 1_000 > 0)).toEqual(Array.from({ length: 12 }, () => 11_625));
    expect(others).toHaveLength(120);
    expect(it.analytics.statistics).toMatchObject({ delivered: 120, inFlight: 1 });
  });

  test('a flush waits for it, and for no interval', async () => {
    const it = bench({ uploadInterval: 86_400, uploadSize: 4 }, refusing('x'));
    const started = it.clock.now();
    trackEach(it, 'abxdef');
    const flushed = it.clock.until(it.analytics.flush());
    trackEach(it, 'gh');
    expect(await flushed).toMatchObject({ delivered: 5, failed: 1 });
    expect(it.clock.now() - started).toBeLessThan(600_000);
  });

  test('what is given up of it is given oldest first', async () => {
    const it = bench({ uploadSize: 2 }, (n) => (n < 5 ? 500 : 'stall'));
    trackEach(it, 'abcdef');
    const { unsent } = await it.clock.until(it.analytics.close({ timeoutMs: 20_000 }));
    expect(namesOf(unsent)).toBe('abcdef');
  });

  test.each([429, { status: 503, retryAfter: '1' }, 'reset', 'stall'] as const)(
    '%j is meant for all, and the batch keeps its place',
    async (step) => {
      const it = bench({ uploadSize: 2, maxRetries: 20 }, (n) => (n < 12 ? step : 200));
      trackEach(it, 'abcd');
      await it.clock.until(it.analytics.flush());
      expect(batches(it)).toEqual([...Array.from({ length: 13 }, () => 'ab'), 'cd']);
    },
  );

  test('whatever is refused, all else is delivered', async () => {
    const events = fc.array(fc.constantFrom('a', 'b', 'c', 'x'), { minLength: 1, maxLength: 60 });
    const options = fc.record({
      maxInFlight: fc.integer({ min: 1, max: 3 }),
      uploadSize: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(events, options, async (given, chosen) => {
        const it = bench(chosen, refusing('x'));
        trackEach(it, given.join(''));
        await it.clock.until(it.analytics.close({ timeoutMs: 86_400_000 }));
        expect(namesOf(it.server.accepted).length).toBe(given.filter((event) => event !== 'x').length);
        expect(it.analytics.statistics.dropped.retries_exhausted).toBe(given.filter((event) => event === 'x').length);
        expect(it.clock.pending).toBe(0);
      }),
      { numRuns: 100, seed: 20_261_127 },
    );
  });
});

describe('with a store', () => {
  test('a message that is refused while others are delivered ends as without one', async () => {
    const store = memoryStore();
    const it = bench({ store, uploadSize: 4 }, refusing('x'));
    const failed = failures(it);
    trackEach(it, 'abxd');
    for (let n = 0; n < 600; n += 1) {
      trackEach(it, 'e');
      await it.clock.advance(1_000);
    }
    expect(failed).toEqual([[1, 'retries_exhausted', 500]]);
    expect([...store.left.values()].filter(({ json }) => !json.includes('"e"'))).toEqual([]);
    // Neither at once, since what refuses it may be over in a minute.
    expect(it.server.requests.filter(({ messages }) => namesOf(messages) === 'x')).toHaveLength(6);
  });

  test.each([503, 404])('LIB-2: an outage of a day, %i, ends nothing, and is over in full batches', async (status) => {
    const store = memoryStore();
    const it = bench({ store }, () => (isDown ? status : 200));
    let isDown = true;
    trackEach(it, 'a'.repeat(1_000));
    await it.clock.advance(86_400_000);
    const before = it.server.requests.length;
    isDown = false;
    expect(await it.clock.until(it.analytics.flush())).toMatchObject({ delivered: 1_000, failed: 0 });
    expect(it.server.requests.length - before).toBeLessThan(14);
    expect(store.left.size).toBe(0);
  });

  test.each([60_000, 600_000, 7_200_000])(
    'LIB-2: after an outage of %i ms one batch overtakes, no more',
    async (ms) => {
      const it = bench({ store: memoryStore(), uploadSize: 10 }, () => (isDown ? 503 : 200));
      let isDown = true;
      for (let n = 0; n < 100; n += 1) it.analytics.track('u', `${n}`);
      await it.clock.advance(ms);
      const before = it.server.requests.length;
      isDown = false;
      await it.clock.until(it.analytics.flush());
      const [first, ...rest] = it.server.requests
        .slice(before)
        .map(({ messages }) => messages.map(({ event }) => Number(event)));
      expect(first?.length).toBeLessThanOrEqual(10);
      expect(rest.flat()).toEqual(Array.from({ length: 100 }, (_, n) => n).filter((n) => first?.includes(n) !== true));
    },
  );

  test('what was refused in an outage is not held against a message', async () => {
    const it = bench({ store: memoryStore(), uploadSize: 1 }, (_, { messages, at }) => {
      if (at < end) return 503;
      return namesOf(messages) === 'x' && (refused += 1) <= 5 ? 503 : 200;
    });
    const end = it.clock.now() + 7_200_000;
    let refused = 0;
    trackEach(it, 'xa');
    const flushed = it.clock.until(it.analytics.flush());
    expect(await flushed).toMatchObject({ delivered: 2, failed: 0 });
  });

  test('maxRetries holds where it is set', async () => {
    const it = bench({ store: memoryStore(), uploadSize: 1, maxRetries: 20 }, refusing('x'));
    trackEach(it, 'x');
    for (let n = 0; n < 2_000; n += 1) {
      trackEach(it, 'a');
      await it.clock.advance(1_000);
    }
    expect(it.server.requests.filter(({ messages }) => namesOf(messages) === 'x')).toHaveLength(21);
  });

  test.each([301, 302, 307, 401, 403, 404, 405, 407, 422, 451, 501, 511])(
    '%i speaks of the key, the address or the way to it, and ends nothing',
    async (status) => {
      const store = memoryStore();
      const it = bench({ store }, () => (isWrong ? status : 200));
      let isWrong = true;
      trackEach(it, 'abc');
      await it.clock.advance(86_400_000);
      expect(it.log.lines).toEqual([`warn [waybill] messages were not delivered yet (status ${status})`]);
      expect(store.left.size).toBe(3);
      isWrong = false;
      expect(await it.clock.until(it.analytics.flush())).toMatchObject({ delivered: 3, failed: 0 });
      expect(store.left.size).toBe(0);
    },
  );

  test.each([
    [403, 403],
    [PAGE, undefined],
  ])('one message that is answered %j, while others are delivered, is given up alone', async (step, status) => {
    const it = bench({ store: memoryStore(), uploadSize: 4 }, refusing('x', step));
    const failed = failures(it);
    trackEach(it, 'abxd');
    for (let n = 0; n < 600; n += 1) {
      trackEach(it, 'e');
      await it.clock.advance(1_000);
    }
    expect(failed).toEqual([[1, 'retries_exhausted', status]]);
    expect(it.analytics.statistics).toMatchObject({ delivered: 603, inFlight: 0 });
  });

  test.each([400, 413])('%i is final', async (status) => {
    const it = bench({ store: memoryStore(), uploadSize: 1 }, [status]);
    trackEach(it, 'a');
    expect(await it.clock.until(it.analytics.flush())).toMatchObject({ failed: 1 });
  });
});
