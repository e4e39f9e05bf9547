import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLimits } from '../../events/event-limits.ts';
import { SOURCE, startIngestion } from '../support/ingestion-server.ts';

const LIMIT = 32_768;

/** A call whose JSON takes exactly so many bytes of UTF-8, most of them in `fill`, which is repeated. */
function callOf(bytes: number, fill: string, messageId = 'large'): object {
  const call = (text: string) => ({ type: 'track', messageId, userId: 'u', event: 'E', properties: { text } });
  const rest = bytes - Buffer.byteLength(JSON.stringify(call('')));
  const each = Buffer.byteLength(fill);
  return call(fill.repeat(Math.floor(rest / each)) + 'x'.repeat(rest % each));
}

test.each(['x', 'é', '日', '😀'])(
  'ING-3: an event of 32 768 bytes of "%s" is kept, one more drops it',
  async (fill) => {
    const { post, store, dropped } = await startIngestion();
    const batch = [callOf(LIMIT, fill, 'fits'), callOf(LIMIT + 1, fill, 'over'), callOf(1_000, fill, 'small')];
    expect(await post('/v1/batch', { batch })).toMatchObject({ status: 200, body: { success: true } });
    expect(store.events.map(({ messageId }) => messageId)).toEqual(['fits', 'small']);
    expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ event_too_large: 1 });
  },
);

test('ING-3: the place of a large event in its batch does not matter', async () => {
  for (const place of [0, 50, 99]) {
    const { post, store } = await startIngestion();
    const small = Array.from({ length: 99 }, (_, index) => callOf(600, 'x', `m${index}`));
    await post('/v1/batch', { batch: small.toSpliced(place, 0, callOf(LIMIT + 1, 'x')) });
    expect(store.events).toHaveLength(99);
    expect(store.events.map(({ messageId }) => messageId)).not.toContain('large');
  }
});

test('ING-3: spaces around an event do not count', async () => {
  const { post, store } = await startIngestion();
  const text = JSON.stringify({ batch: [callOf(LIMIT, 'x')] }, undefined, 4);
  expect(Buffer.byteLength(text)).toBeGreaterThan(LIMIT + 40);
  await post('/v1/batch', text);
  expect(store.events).toHaveLength(1);
});

test('ING-3: a single call over 32 KB is answered 413 and counted', async () => {
  const { post, store, dropped } = await startIngestion();
  expect(await post('/v1/track', callOf(LIMIT, 'x'))).toMatchObject({ status: 200 });
  expect(await post('/v1/track', callOf(LIMIT + 1, 'x', 'over'))).toMatchObject({
    status: 413,
    body: { code: 3, message: 'the event is larger than 32768 bytes' },
  });
  expect(store.events).toHaveLength(1);
  expect(Object.fromEntries(dropped.of(SOURCE))).toEqual({ event_too_large: 1 });
});

/** The places of events that are over the limit and pass, or are within it and do not. */
function mistakesIn(texts: readonly string[]): number[] {
  const limits = createLimits(Buffer.byteLength(`[${texts.join()}]`));
  return texts.flatMap((text, place) => {
    const written = Buffer.byteLength(JSON.stringify(JSON.parse(text)));
    const found = limits?.(JSON.parse(text)) === 'event_too_large';
    // An event that is over the limit only when written again may pass: its sender measured it so.
    const isSurelyOver = written > LIMIT && Buffer.byteLength(text) > LIMIT;
    return (isSurelyOver && !found) || (written <= LIMIT && found) ? [place] : [];
  });
}

const listOf = (value: string, times: number): string => `[${Array<string>(times).fill(value).join()}]`;

test.each(['1e20', '9e-6', '1e-4', '15e3', '"\uFFFD"'])(
  'ING-3: events full of %s, which grow when written again, hide no large one',
  (value) => {
    const grown = JSON.stringify(JSON.parse(value)).length + 1;
    const filled = listOf(value, Math.floor((LIMIT - 10) / grown));
    expect(mistakesIn([filled, filled, filled, filled, listOf('"x"', 9_000)])).toEqual([]);
  },
);

test('ING-3: no event of a body within 32 KB is too large, whatever it grows to when written again', () => {
  const grows = Array<number>(5_000).fill(1e20);
  expect(createLimits(LIMIT)?.(grows)).toBeUndefined();
  expect(createLimits(LIMIT + 1)?.(grows)).toBe('event_too_large');
});

/** An event that counts how often it is written as JSON. */
function countedEvent(text: string) {
  let written = 0;
  const event = {
    toJSON() {
      written += 1;
      return { text };
    },
  };
  return { event, written: () => written };
}

test.each([
  ['plain text', 'x', 1],
  // These may have been sent in less, so nothing is known of the rest.
  ['zeros', '0', 2],
  ['U+FFFD', '\uFFFD', 2],
])('ING-3: events are measured while the rest may hold a large one: beside 20 000 of %s', (_what, fill, times) => {
  const limits = createLimits(LIMIT + 14_000);
  const { event, written } = countedEvent(fill.repeat(20_000));
  const found = fill === '\uFFFD' ? 'event_too_large' : undefined;
  expect([limits?.(event), limits?.(event)]).toEqual([found, found]);
  expect(written()).toBe(times);
});

test('ING-3: what is not measured is never over the limit', () => {
  const value = fc.constantFrom('1e20', '9e-6', '1e-4', '15e3', '"x"', '1', '{"a":[]}', '"\\u0001"', '"é"', 'null');
  const event = fc.tuple(value, fc.integer({ min: 1, max: 12_000 })).map(([item, times]) => listOf(item, times));
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 12 }), (texts) => {
      expect(mistakesIn(texts)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
