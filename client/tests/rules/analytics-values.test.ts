import { describe, expect, test } from 'vitest';
import { bench } from '../support/analytics-bench.ts';

function circle(): object {
  const outer: Record<string, unknown> = {};
  outer['inner'] = { back: outer };
  return outer;
}

const throwingToJson = {
  toJSON() {
    throw new Error('no');
  },
};

const throwingGetter = {
  get value() {
    throw new Error('no');
  },
};

/** Written, it throws; whoever looks for the reason finds none. */
function throwsOnce(thrown: unknown): object {
  let calls = 0;
  return {
    toJSON() {
      calls += 1;
      if (calls % 2 === 1) throw thrown;
      return 'fine';
    },
  };
}

/** A Map that is written as an object. */
class Written extends Map<string, number> {
  toJSON(): object {
    return Object.fromEntries(this);
  }
}

/** A BigInt below as many lists, one within the other. */
function below(lists: number): unknown {
  let value: unknown = 1n;
  for (let depth = 0; depth < lists; depth += 1) value = [value];
  return value;
}

/** A value below as many levels, each of which has the next one twice. */
function doubled(levels: number, value: unknown): unknown {
  let holder = value;
  for (let level = 0; level < levels; level += 1) holder = { a: holder, b: holder };
  return holder;
}

/** Written, it never ends. */
const endless = { toJSON: (): object => ({ a: endless, b: endless }) };

const shared = {};

/** Values that cannot be written at all. */
const unserializable: [string, unknown, string][] = [
  ['a BigInt', { deep: [1n] }, 'properties.value.deep.0 is a BigInt: give it as a text or a number'],
  ['a circle', circle(), 'properties.value.inner.back refers back to an object that holds it'],
  ['a toJSON that throws', throwingToJson, 'properties.value has a toJSON that throws'],
  ['a getter that throws', throwingGetter, 'properties.value.value has a getter that throws'],
  ['a toJSON that gives a BigInt', { toJSON: () => 1n }, 'properties.value is a BigInt'],
  ['a BigInt below a toJSON', { toJSON: () => ({ at: 1n }) }, 'properties.value.at is a BigInt'],
  ['a circle below a toJSON', { toJSON: circle }, 'properties.value.inner.back refers back to an object that holds it'],
  ['a BigInt after null', { none: null, at: 1n }, 'properties.value.at is a BigInt'],
  ['a BigInt after an object that is there twice', [shared, shared, 1n], 'properties.value.2 is a BigInt'],
  ['a BigInt after a toJSON that gives null', [{ toJSON: () => null }, 1n], 'properties.value.1 is a BigInt'],
  ['a BigInt after a toJSON that gives nothing', [{ toJSON: () => {} }, 1n], 'properties.value.1 is a BigInt'],
  ['a BigInt beside a toJSON that is no function', { toJSON: 1, at: 1n }, 'properties.value.at is a BigInt'],
  [
    'a BigInt in what a toJSON gives, whatever toJSON that has',
    { toJSON: () => ({ toJSON: () => 'fine', at: 1n }) },
    'properties.value.at is a BigInt',
  ],
  ['a BigInt a hundred objects deep', below(99), `properties.value${'.0'.repeat(99)} is a BigInt`],
  ['a BigInt deeper than that', below(100), 'the message cannot be written as JSON: TypeError'],
  [
    'a toJSON that throws once',
    throwsOnce(new SyntaxError('no')),
    'the message cannot be written as JSON: SyntaxError',
  ],
  // Where the search for the reason ends by itself: there are 2^100 ways to look.
  ['a BigInt below objects that are there twice', doubled(130, 1n), 'the message cannot be written as JSON: TypeError'],
  ['a toJSON that gives itself twice', endless, 'the message cannot be written as JSON: RangeError'],
  ['a toJSON that throws a text once', throwsOnce('no'), 'the message cannot be written as JSON: string'],
];

/** Values that JSON changes, what becomes of them, and the warning. */
const changed: [string, unknown, unknown, string | undefined][] = [
  ['NaN', Number.NaN, null, 'properties.value is NaN, and is sent as null'],
  ['Infinity', [Infinity], [null], 'properties.value.0 is Infinity, and is sent as null'],
  ['a function', () => 1, undefined, 'properties.value is a function, and is left out'],
  ['a function in a list', [() => 1], [null], 'properties.value.0 is a function, and is sent as null'],
  ['a symbol', Symbol('s'), undefined, 'properties.value is a symbol, and is left out'],
  ['an invalid Date', new Date('x'), null, 'properties.value is an invalid Date, and is sent as null'],
  ['a Map', new Map([[1, 2]]), {}, 'properties.value is a Map, and is sent as {}'],
  ['a Set', { in: new Set([1]) }, { in: {} }, 'properties.value.in is a Set, and is sent as {}'],
  ['an Error', new Error('boom'), {}, 'properties.value is a Error, and is sent as {}'],
  ['a Date', new Date(0), '1970-01-01T00:00:00.000Z', undefined],
  ['undefined', undefined, undefined, undefined],
  ['null', null, null, undefined],
  ['a URL', new URL('http://a.example/'), 'http://a.example/', undefined],
  ['half of a surrogate pair', '\ud800', '\ud800', undefined],
  [
    'NaN after values that lose nothing',
    { text: 'a', number: 1, yes: true, none: null, absent: undefined, lost: Number.NaN },
    { text: 'a', number: 1, yes: true, none: null, lost: null },
    'properties.value.lost is NaN, and is sent as null',
  ],
  ['what writes itself in place of NaN', { lost: Number.NaN, toJSON: () => 'fine' }, 'fine', undefined],
  ['a toJSON that is no function', { toJSON: 5 }, { toJSON: 5 }, undefined],
  ['a Map that writes itself', new Written([['a', 1]]), { a: 1 }, undefined],
  ['an Error with fields', Object.assign(new Error('boom'), { code: 7 }), { code: 7 }, undefined],
  ['an empty list', [], [], undefined],
  ['an empty object', {}, {}, undefined],
  [
    'an object of a class',
    new (class Plan {
      name = 'pro';
    })(),
    { name: 'pro' },
    undefined,
  ],
];

describe('values', () => {
  test.each(unserializable)('%s drops its message alone, with the path', async (_, value, text) => {
    const { analytics, clock, server } = bench();
    analytics.track('u', 'before');
    const result = analytics.track('u', 'bad', { value });
    expect(result).toMatchObject({ ok: false, reason: 'unserializable' });
    expect(result.ok ? '' : result.message.slice(0, text.length)).toBe(text);
    analytics.track('u', 'after');
    await clock.until(analytics.flush());
    expect(server.accepted.map((message) => message.event)).toEqual(['before', 'after']);
    expect(analytics.statistics.dropped.unserializable).toBe(1);
  });

  test.each(changed)('%s is sent as documented', async (_, value, wanted, warning) => {
    const { analytics, clock, server, log } = bench();
    expect(analytics.track('u', 'e', { value })).toMatchObject({ ok: true });
    await clock.until(analytics.flush());
    expect(server.accepted[0]?.properties).toEqual(wanted === undefined ? {} : { value: wanted });
    expect(log.lines).toEqual(warning === undefined ? [] : [`warn [waybill] track: ${warning}`]);
  });

  test.each([
    ['properties', { userId: 'u', event: 'e', properties: new URL('http://a.example/') }],
    ['properties', { userId: 'u', event: 'e', properties: { toJSON: () => [1] } }],
    ['traits', { userId: 'u', traits: new Date() }],
    ['context', { userId: 'u', context: { toJSON: () => null } }],
    ['integrations', { userId: 'u', integrations: { toJSON: () => 'all' } }],
  ])('%s that write themselves as something else than an object are refused', (field, given) => {
    const { analytics } = bench();
    expect(Reflect.apply('event' in given ? analytics.track : analytics.identify, undefined, [given])).toEqual({
      ok: false,
      reason: 'invalid_message',
      message: expect.stringContaining(`${field} must be an object`),
    });
  });

  test('fields that write themselves are sent as they do', async () => {
    const { analytics, clock, server } = bench();
    const plan = { secret: 1, toJSON: () => ({ plan: 'pro' }) };
    analytics.identify('u', plan, { context: plan });
    await clock.until(analytics.flush());
    expect(server.accepted[0]).toMatchObject({ traits: { plan: 'pro' }, context: { plan: 'pro', library: {} } });
  });

  test('traits whose toJSON throws are refused, with the path', () => {
    const { analytics } = bench();
    expect(analytics.identify('u', throwingToJson)).toMatchObject({
      reason: 'unserializable',
      message: 'traits has a toJSON that throws',
    });
  });

  test('of many values that JSON changes five are named', () => {
    const { analytics, log } = bench();
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, Number.NaN]));
    analytics.track('u', 'e', { first: many, second: many });
    const named = ['a', 'b', 'c', 'd', 'e'].map((key) => `properties.first.${key} is NaN, and is sent as null`);
    expect(log.lines).toEqual([`warn [waybill] track: ${named.join('; ')}`]);
  });

  test('a getter that throws the second time changes nothing about what was written', () => {
    const { analytics, log } = bench();
    let reads = 0;
    const properties = {
      get once() {
        reads += 1;
        if (reads > 1) throw new Error('no');
        return 1;
      },
    };
    expect(analytics.track('u', 'e', properties)).toMatchObject({ ok: true });
    expect([reads, log.lines]).toEqual([2, []]);
  });

  test('an accessor that throws in the call itself is refused', () => {
    const { analytics } = bench();
    const call = Object.defineProperty({ userId: 'u' }, 'event', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(Reflect.apply(analytics.track, undefined, [call])).toMatchObject({
      reason: 'unserializable',
      message: 'a field of the call throws',
    });
  });

  test('nesting too deep to be written is refused', () => {
    const { analytics } = bench();
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(analytics.track('u', 'e', { value })).toEqual({
      ok: false,
      reason: 'unserializable',
      message: 'the message cannot be written as JSON: RangeError',
    });
  });

  test('objects are as they were at the call, whatever comes later', async () => {
    const { analytics, clock, server } = bench();
    const properties = { v: 1, nested: { list: [1] } };
    const context = { ip: '203.0.113.7' };
    analytics.track('u', 'e', properties, { context });
    properties.v = 2;
    properties.nested.list.push(2);
    context.ip = 'changed';
    await clock.until(analytics.flush());
    expect(server.accepted[0]).toMatchObject({
      properties: { v: 1, nested: { list: [1] } },
      context: { ip: '203.0.113.7' },
    });
  });

  test('frozen objects are taken, and none is touched', () => {
    const { analytics } = bench();
    const call = Object.freeze({
      userId: 'u',
      event: 'e',
      properties: Object.freeze({ a: Object.freeze([1]) }),
      context: Object.freeze({ ip: 'x' }),
    });
    const before = JSON.stringify(call);
    expect(analytics.track(call)).toMatchObject({ ok: true });
    expect(JSON.stringify(call)).toBe(before);
  });
});
