import { describe, expect, expectTypeOf, test } from 'vitest';
import { Analytics } from '../../analytics/analytics.ts';
import type { CallResult } from '../../analytics/result.ts';
import { bench } from '../support/analytics-bench.ts';

/** What the server gets for a call, without what every message has. */
async function sent(call: (analytics: Analytics) => CallResult): Promise<Record<string, unknown> | undefined> {
  const { analytics, clock, server } = bench();
  expect(call(analytics)).toMatchObject({ ok: true });
  await clock.until(analytics.flush());
  const { messageId, timestamp, context, ...own } = server.accepted[0] ?? {};
  expect([typeof messageId, typeof timestamp, typeof context]).toEqual(['string', 'string', 'object']);
  return own;
}

const P = { plan: 'pro' };

describe('the six calls', () => {
  test('LIB-1: identify takes user id, then traits', async () => {
    const wanted = { type: 'identify', userId: 'u', traits: P };
    expect(await sent((a) => a.identify('u', P))).toEqual(wanted);
    expect(await sent((a) => a.identify({ userId: 'u', traits: P }))).toEqual(wanted);
  });

  test('LIB-1: track takes user id, event, then properties', async () => {
    const wanted = { type: 'track', userId: 'u', event: 'Signed Up', properties: P };
    expect(await sent((a) => a.track('u', 'Signed Up', P))).toEqual(wanted);
    expect(await sent((a) => a.track({ userId: 'u', event: 'Signed Up', properties: P }))).toEqual(wanted);
  });

  test.each(['page', 'screen'] as const)('LIB-1: %s takes user id, category, name, then properties', async (type) => {
    const wanted = { type, userId: 'u', category: 'Docs', name: 'Start', properties: P };
    expect(await sent((a) => a[type]('u', 'Docs', 'Start', P))).toEqual(wanted);
    expect(await sent((a) => a[type]({ userId: 'u', category: 'Docs', name: 'Start', properties: P }))).toEqual(wanted);
  });

  test('LIB-1: group takes user id, group id, then traits', async () => {
    const wanted = { type: 'group', userId: 'u', groupId: 'g', traits: P };
    expect(await sent((a) => a.group('u', 'g', P))).toEqual(wanted);
    expect(await sent((a) => a.group({ userId: 'u', groupId: 'g', traits: P }))).toEqual(wanted);
  });

  test('LIB-1: alias takes previous id, then user id', async () => {
    const wanted = { type: 'alias', previousId: 'old', userId: 'new' };
    expect(await sent((a) => a.alias('old', 'new'))).toEqual(wanted);
    expect(await sent((a) => a.alias({ previousId: 'old', userId: 'new' }))).toEqual(wanted);
  });

  test('LIB-1: options follow the positions, and reach the message', async () => {
    const { analytics, clock, server } = bench();
    const timestamp = new Date('2026-01-31T12:00:00.123Z');
    const integrations = { all: false, Webhooks: true };
    const context = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0' };
    analytics.track(
      'u',
      'e',
      {},
      { context, timestamp, anonymousId: 7, integrations, messageId: 'm-1', onSettled: () => {} },
    );
    await clock.until(analytics.flush());
    expect(server.accepted).toEqual([
      {
        type: 'track',
        messageId: 'm-1',
        timestamp: '2026-01-31T12:00:00.123Z',
        userId: 'u',
        anonymousId: '7',
        event: 'e',
        properties: {},
        context: { library: { name: '@waybill/client', version: '0.1.0' }, ...context },
        integrations,
      },
    ]);
  });

  test('LIB-1: what is left out becomes an empty object', async () => {
    expect(await sent((a) => a.identify('u'))).toEqual({ type: 'identify', userId: 'u', traits: {} });
    expect(await sent((a) => a.page('u'))).toEqual({ type: 'page', userId: 'u', properties: {} });
    expect(await sent((a) => a.page('u', null, 'Start'))).toMatchObject({ name: 'Start' });
  });

  test('LIB-1: an anonymous id stands in for the user id', async () => {
    const wanted = { type: 'track', anonymousId: 'a', event: 'e', properties: {} };
    expect(await sent((a) => a.track(null, 'e', {}, { anonymousId: 'a' }))).toEqual(wanted);
    expect(await sent((a) => a.track({ anonymousId: 'a', event: 'e' }))).toEqual(wanted);
  });

  test('LIB-1: no anonymous id reaches an alias', async () => {
    const options: object = { anonymousId: 'a' };
    expect(await sent((a) => a.alias('old', 'new', options))).toEqual({
      type: 'alias',
      previousId: 'old',
      userId: 'new',
    });
  });

  test('LIB-16: numeric ids are sent as their text', async () => {
    expect(await sent((a) => a.identify(42))).toMatchObject({ userId: '42' });
    expect(await sent((a) => a.screen(0))).toMatchObject({ userId: '0' });
    expect(await sent((a) => a.group(1, 2))).toMatchObject({ userId: '1', groupId: '2' });
  });

  test('LIB-16: ids up to the last that a number can tell apart, and message ids up to 100 characters, are taken', async () => {
    expect(await sent((a) => a.identify(2 ** 53 - 1))).toMatchObject({ userId: '9007199254740991' });
    const { analytics } = bench();
    const messageId = 'm'.repeat(100);
    expect(analytics.identify('u', {}, { messageId })).toEqual({ ok: true, messageId });
    const none: object = { messageId: null, onSettled: null };
    expect(analytics.identify('u', {}, none)).toMatchObject({ ok: true, messageId: expect.stringMatching(/./) });
  });

  test('LIB-1: an empty category or name is none', async () => {
    expect(await sent((a) => a.page('u', '', ''))).toEqual({ type: 'page', userId: 'u', properties: {} });
  });

  test('LIB-2: a call returns before anything is sent', async () => {
    const { analytics, clock, server } = bench({ uploadSize: 1 });
    expect(analytics.track('u', 'e', {}, { messageId: 'm' })).toEqual({ ok: true, messageId: 'm' });
    expect(server.requests).toHaveLength(0);
    await clock.advance(0);
    expect(server.requests).toHaveLength(1);
  });

  test('each message has its own random id', () => {
    const { analytics } = bench();
    const results = Array.from({ length: 1000 }, () => analytics.track('u', 'e'));
    const ids = results.map((result) => (result.ok ? result.messageId : ''));
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('the calls work when taken off the client', () => {
    const { track } = bench().analytics;
    expect(track('u', 'e')).toMatchObject({ ok: true });
  });
});

/** `unknown` here, because the types refuse most of these already. */
const refusedCalls: [string, (analytics: Analytics) => unknown, string][] = [
  ['track without any id', (a) => Reflect.apply(a.track, a, [null, 'e']), 'track needs a userId or an anonymousId'],
  ['identify with an empty id', (a) => a.identify(''), 'identify needs a userId or an anonymousId'],
  [
    'an id that is an object',
    (a) => Reflect.apply(a.track, a, [{ userId: {}, event: 'e' }]),
    'userId must be a text or a number',
  ],
  ['an id that is NaN', (a) => a.identify(Number.NaN), 'userId must be a text or a number up to 2^53, got: number'],
  ['an id beyond 2^53', (a) => a.identify(2 ** 53), 'userId must be a text or a number up to 2^53, got: number'],
  ['track without an event', (a) => Reflect.apply(a.track, a, ['u']), 'event must be a text that is not empty'],
  ['track with an empty event', (a) => a.track('u', ''), 'event must be a text that is not empty, got: empty text'],
  ['group without a group id', (a) => a.group('u', ''), 'groupId is missing or empty'],
  ['group with only a group id', (a) => a.group(null, 'g'), 'group needs a userId or an anonymousId'],
  ['alias without a user id', (a) => a.alias('old', ''), 'userId is missing or empty'],
  ['alias without a previous id', (a) => a.alias('', 'u'), 'previousId is missing or empty'],
  [
    'properties that are an array',
    (a) => Reflect.apply(a.track, a, ['u', 'e', [1]]),
    'properties must be an object, got: an array',
  ],
  ['traits that are text', (a) => Reflect.apply(a.identify, a, ['u', 'x']), 'traits must be an object, got: string'],
  ['traits of a group that are text', (a) => Reflect.apply(a.group, a, ['u', 'g', 'x']), 'traits must be an object'],
  [
    'properties of a page that are text',
    (a) => Reflect.apply(a.page, a, ['u', 'c', 'n', 'x']),
    'properties must be an object',
  ],
  [
    'a context that is text',
    (a) => Reflect.apply(a.identify, a, ['u', {}, { context: 'x' }]),
    'context must be an object',
  ],
  ['a name that is a number', (a) => Reflect.apply(a.page, a, ['u', null, 5]), 'name must be a text, got: number'],
  ['a category that is a list', (a) => Reflect.apply(a.page, a, ['u', []]), 'category must be a text, got: an array'],
  ['an id that is true', (a) => Reflect.apply(a.identify, a, [true]), 'userId must be a text or a number'],
  [
    'an anonymous id that is a list',
    (a) => Reflect.apply(a.identify, a, ['u', {}, { anonymousId: [5] }]),
    'anonymousId must be a text or a number up to 2^53, got: an array',
  ],
  [
    'an event that is a number',
    (a) => Reflect.apply(a.track, a, ['u', 5]),
    'event must be a text that is not empty, got: number',
  ],
  ['an id far below zero', (a) => a.identify(-(2 ** 53)), 'userId must be a text or a number up to 2^53, got: number'],
  [
    'a message id over 100 characters',
    (a) => a.identify('u', {}, { messageId: 'm'.repeat(101) }),
    'messageId must be a text of 1 to 100 characters, got: string',
  ],
  [
    'an empty message id',
    (a) => a.identify('u', {}, { messageId: '' }),
    'messageId must be a text of 1 to 100 characters, got: empty text',
  ],
  [
    'a message id that is a number',
    (a) => Reflect.apply(a.identify, a, ['u', {}, { messageId: 5 }]),
    'messageId must be a text of 1 to 100 characters, got: number',
  ],
  [
    'a message id that is a list',
    (a) => Reflect.apply(a.identify, a, ['u', {}, { messageId: ['m'] }]),
    'messageId must be a text of 1 to 100 characters, got: an array',
  ],
  [
    'a listener that is no function',
    (a) => Reflect.apply(a.identify, a, ['u', {}, { onSettled: 'log' }]),
    'onSettled must be a function',
  ],
];

describe('a call that the server would drop', () => {
  test.each(refusedCalls)('%s is refused with what is wrong', async (_, call, text) => {
    const { analytics, clock, server, log } = bench();
    expect(call(analytics)).toEqual({ ok: false, reason: 'invalid_message', message: expect.stringContaining(text) });
    expect(analytics.statistics).toMatchObject({ refused: 1, queued: 0, dropped: { invalid_message: 1 } });
    expect(log.lines).toEqual([expect.stringContaining(text)]);
    await clock.until(analytics.flush());
    expect(server.requests).toHaveLength(0);
  });

  test('a refusal is told to those who listen', () => {
    const { analytics } = bench();
    const refusals: unknown[] = [];
    analytics.on('refused', (refusal) => refusals.push(refusal));
    analytics.track('u', '');
    expect(refusals).toEqual([{ type: 'track', reason: 'invalid_message', message: expect.any(String) }]);
  });
});

describe('the types of the calls', () => {
  const { analytics } = bench({ send: false });

  test('LIB-1: both forms compile, and give a result at once', () => {
    expectTypeOf(analytics.track('u', 'e', { a: 1 }, { anonymousId: 3 })).toEqualTypeOf<CallResult>();
    expectTypeOf(analytics.track({ userId: 'u', event: 'e' })).toEqualTypeOf<CallResult>();
    expectTypeOf(analytics.group(1, 'g')).toEqualTypeOf<CallResult>();
    const maybe: string | undefined = 'u';
    expectTypeOf(analytics.track({ userId: maybe, anonymousId: 'a', event: 'e' })).toEqualTypeOf<CallResult>();
  });

  test('LIB-12: syncMode gives promises', () => {
    const waiting = new Analytics('key', { send: false, syncMode: true });
    expectTypeOf(waiting.track('u', 'e')).toEqualTypeOf<Promise<CallResult>>();
    expectTypeOf<Analytics<boolean>['track']>().returns.toEqualTypeOf<CallResult | Promise<CallResult>>();
  });

  test('LIB-16: what the seed does not say does not compile', () => {
    // @ts-expect-error an event is needed
    analytics.track('u');
    // @ts-expect-error the ids of track are texts
    analytics.track(5, 'e');
    // @ts-expect-error a message names its user or its session
    analytics.track({ event: 'e' });
    // @ts-expect-error alias has no anonymous id
    analytics.alias('a', 'b', { anonymousId: 'c' });
    // @ts-expect-error a number is no timestamp
    analytics.identify('u', {}, { timestamp: 5 });
    // @ts-expect-error a misspelt field
    analytics.track({ userId: 'u', event: 'e', propertis: {} });
    expect(analytics.statistics.queued).toBe(0);
  });
});
