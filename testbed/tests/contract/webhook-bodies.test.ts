import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, WEBHOOK_TYPES } from '../../../client/webhooks/parse.ts';
import { verify } from '../../../client/webhooks/signature.ts';
import { anyEvent, anyEventOf } from '../../contract/index.ts';
import { exampleOf, webhookExamples, webhookRequest } from '../../index.ts';

test('HOOK-12: the contract has a valid example of each of the seven bodies', () => {
  expect(webhookExamples().map(({ type }) => type)).toEqual([...WEBHOOK_TYPES]);
});

test('an example takes changes, and refuses those that break it', () => {
  expect(exampleOf('track', { event: 'Signed Up' })).toMatchObject({ type: 'track', event: 'Signed Up', version: 1 });
  expect(() => exampleOf('track', { timestamp: 'yesterday' })).toThrow(
    /example of track is no track any more: timestamp/,
  );
});

test.each([
  ['trak', 'There is no webhook of type "trak"; did you mean track?'],
  [undefined, 'There is no webhook of type undefined; the types are page, screen, identify, track,'],
  ['toString', 'There is no webhook of type "toString"; the types are page, '],
])('of the type %s there is neither an example nor a generator, and the error says what there is', (type, said) => {
  expect(() => Reflect.apply(exampleOf, undefined, [type])).toThrow(said);
  expect(() => Reflect.apply(anyEventOf, undefined, [type])).toThrow(said);
});

test.each(WEBHOOK_TYPES)('HOOK-12: whatever is drawn for %s the generated validators take', (type) => {
  fc.assert(
    fc.property(anyEventOf(type), (event) => {
      expect(parse(JSON.stringify(event))).toMatchObject({ kind: 'event', event: { type } });
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('HOOK-13: what is drawn has times that exist', () => {
  for (const { timestamp } of fc.sample(anyEventOf('delete'), { seed: 1, numRuns: 300 })) {
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
  }
});

test('optional fields are drawn both there and missing', () => {
  const drawn = fc.sample(anyEventOf('page'), { seed: 1, numRuns: 100 });
  for (const field of ['userId', 'name', 'category', 'integrations'] as const) {
    expect(new Set(drawn.map((event) => field in event)), field).toEqual(new Set([true, false]));
  }
});

test('the validators refuse what is nearly an event', () => {
  for (const { type, ...rest } of fc.sample(anyEvent(), { seed: 1, numRuns: 50 })) {
    expect(parse(JSON.stringify(rest)).kind).toBe('invalid');
    expect(parse(JSON.stringify({ ...rest, type, timestamp: 'soon' })).kind).toBe('invalid');
  }
});

test('HOOK-5: the request of an event is signed over the very bytes that it holds', async () => {
  const event = exampleOf('identify');
  const { method, headers, body } = webhookRequest(event, { secret: 's3cret', headers: { 'X-Team': 'billing' } });
  expect(method).toBe('POST');
  expect(JSON.parse(new TextDecoder().decode(body))).toEqual(event);
  expect(headers).toMatchObject({ 'X-Team': 'billing', 'Content-Type': 'application/json' });
  expect(await verify({ body, signature: headers['X-Signature'], secret: 's3cret' })).toBe(true);
  expect(webhookRequest(event).headers).not.toHaveProperty('X-Signature');
});
