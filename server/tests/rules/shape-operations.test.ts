import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SettingFault } from '../../destinations/setting-fault.ts';
import { Budget, EVALUATION_STEPS } from '../../evaluation/budget.ts';
import type { JsonObject } from '../../model/message.ts';
import { readShape } from '../../shaping/read-shape.ts';
import { shaped } from '../../shaping/shape.ts';
import { HOSTILE_CONDITIONS } from '../support/hostile-definitions.ts';

/** The same operation so often. */
function times(count: number, operation: object): object[] {
  return Array.from({ length: count }, () => operation);
}

const BODY: JsonObject = JSON.parse(`{
  "version": 1, "type": "track", "userId": "u1", "event": "Order Completed", "messageId": "m1",
  "timestamp": "2026-11-20T12:00:00.000Z",
  "properties": {
    "total": 12, "email": "ada@example.com", "a.b": "dot",
    "address": { "city": "Wien", "zip": "1010" },
    "products": [{ "sku": "s1", "price": 4, "tags": [{ "id": 1, "x": 2 }] }, "loose", { "price": 8 }]
  },
  "context": { "ip": "10.0.0.1" }
}`);
const PROPERTIES = Object(BODY['properties']);

function after(...operations: readonly object[]): JsonObject {
  const { body, undecided } = shaped(readShape(operations), BODY, new Budget());
  expect(undecided).toBe(false);
  return body;
}

/** What `properties` are after these operations. */
const properties = (...operations: readonly object[]): unknown => after(...operations)['properties'];

test('HOOK-27: a shape without operations leaves a body as it is', () => {
  expect(after()).toBe(BODY);
});

test('HOOK-27: keep leaves nothing but what is named', () => {
  expect(
    after({ op: 'keep', paths: ['type', 'properties.total', 'properties.address.city', 'nothing.there'] }),
  ).toEqual({
    type: 'track',
    properties: { total: 12, address: { city: 'Wien' } },
  });
});

test('HOOK-27: drop removes what is named, a name with a dot too', () => {
  const paths = ['context', 'properties.email', 'properties.products', 'properties.a\\.b', 'properties.total.deep'];
  const { context: _gone, ...rest } = BODY;
  expect(after({ op: 'drop', paths })).toEqual({
    ...rest,
    properties: { total: 12, address: { city: 'Wien', zip: '1010' } },
  });
});

test('HOOK-27: keep and drop go into each object of a list, and of lists within', () => {
  expect(properties({ op: 'drop', paths: ['properties.products.price', 'properties.products.tags.x'] })).toEqual({
    ...PROPERTIES,
    products: [{ sku: 's1', tags: [{ id: 1 }] }, 'loose', {}],
  });
  expect(properties({ op: 'keep', paths: ['properties.products.sku'] })).toEqual({ products: [{ sku: 's1' }] });
});

test('HOOK-27: rename moves a value, into objects that it makes, in the place of what stands there', () => {
  const moved = after(
    { op: 'rename', from: 'properties.total', to: 'amount' },
    { op: 'rename', from: 'properties.address.zip', to: 'properties.place.code' },
    { op: 'rename', from: 'event', to: 'userId' },
  );
  expect(moved).toMatchObject({ amount: 12, userId: 'Order Completed' });
  expect(moved).not.toHaveProperty('event');
  expect(moved['properties']).toMatchObject({ address: { city: 'Wien' }, place: { code: '1010' } });
  expect(moved).not.toHaveProperty('properties.total');
});

test('HOOK-27: set writes what an expression comes to, of the body as the operations before left it', () => {
  const set = after(
    { op: 'set', path: 'properties.currency', value: '"EUR"' },
    { op: 'set', path: 'properties.city', value: 'uppercase(properties.address.city)' },
    { op: 'set', path: 'large', value: 'properties.total > 10' },
    { op: 'drop', paths: ['properties.address'] },
    { op: 'set', path: 'properties.gone', value: 'properties.address.zip' },
    { op: 'set', path: 'both', value: '[properties.city, properties.currency]' },
  );
  expect(set).toMatchObject({ large: true, both: ['WIEN', 'EUR'], properties: { currency: 'EUR', city: 'WIEN' } });
  expect(set).not.toHaveProperty('properties.gone');
});

test.each([
  ['a value that is not there', { op: 'rename', from: 'properties.nothing', to: 'x' }],
  ['a value within a list', { op: 'rename', from: 'properties.products.0.sku', to: 'x' }],
  ['the length of a text', { op: 'rename', from: 'event.length', to: 'x' }],
  ['what objects inherit', { op: 'rename', from: 'constructor', to: 'x' }],
  ['a target within a text', { op: 'rename', from: 'properties.total', to: 'event.total' }],
  ['a target within a list', { op: 'set', path: 'properties.products.0', value: '1' }],
  ['an expression without a value', { op: 'set', path: 'x', value: 'nothing.there' }],
])('HOOK-27: an operation does nothing about %s', (_what, operation) => {
  expect(after(operation)).toEqual(BODY);
});

test('SAFE-2: a field called __proto__ is a field as any other, and none can be made', () => {
  const body: JsonObject = JSON.parse('{"type":"track","properties":{"__proto__":{"polluted":true},"keep":1}}');
  const run = (...operations: object[]) => shaped(readShape(operations), body, new Budget()).body;
  for (const operation of [
    { op: 'set', path: 'properties.x', value: '1' },
    { op: 'rename', from: 'properties.keep', to: 'properties.other.polluted' },
    { op: 'drop', paths: ['properties.other'] },
  ])
    expect(JSON.stringify(run(operation))).toContain('"__proto__":{"polluted":true}');
  expect(JSON.stringify(run({ op: 'drop', paths: ['properties.__proto__'] }))).not.toContain('polluted');
  expect(JSON.stringify(run({ op: 'rename', from: 'properties.__proto__', to: 'moved' }))).toContain(
    '"moved":{"polluted"',
  );
  for (const operation of [
    { op: 'set', path: '__proto__.polluted', value: 'true' },
    { op: 'rename', from: 'event', to: 'properties.__proto__' },
  ])
    expect(() => readShape([operation])).toThrow('may not name __proto__');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('HOOK-16: the notice of a deleted user is sent whole', () => {
  const notice = { type: 'delete', userId: 'u1', timestamp: 't', messageId: 'm' };
  expect(shaped(readShape([{ op: 'keep', paths: ['type'] }]), notice, new Budget()).body).toBe(notice);
});

test('SAFE-2: over its budget a shape leaves nothing of what a customer sent', () => {
  const shape = readShape([{ op: 'drop', paths: ['properties.email'] }]);
  const reduced = { version: 1, type: 'track', messageId: 'm1', timestamp: BODY['timestamp'] };
  expect(shaped(shape, BODY, new Budget(100))).toEqual({ body: reduced, undecided: true });
});

test('SAFE-2: a body that doubles with each operation is reduced before it takes memory', () => {
  const double = { op: 'set', path: 'x', value: '[x, x, properties]' };
  const started = performance.now();
  const { body, undecided } = shaped(readShape(times(50, double)), BODY, new Budget());
  expect([undecided, Object.keys(body)]).toEqual([true, ['version', 'type', 'messageId', 'timestamp']]);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(shaped(readShape(times(3, double)), BODY, new Budget()).undecided).toBe(false);
});

test.each(Object.entries(HOSTILE_CONDITIONS))(
  'SAFE-2: a shape with %s ends within its budget',
  (_what, [value, event]) => {
    const shape = readShape(times(50, { op: 'set', path: 'x', value }));
    const budget = new Budget();
    const { undecided } = shaped(shape, { ...event }, budget);
    expect(undecided || budget.used < EVALUATION_STEPS).toBe(true);
  },
);

const text = fc.oneof(fc.constantFrom('type', 'properties', 'a', 'b', '__proto__', '0', 'length'), fc.string());
const path = fc
  .array(
    text.filter((name) => name !== ''),
    { minLength: 1, maxLength: 4 },
  )
  .map((steps) => steps.map((step) => step.replaceAll(/[.\\]/g, '\\$&')).join('.'));
const safePath = path.filter((one) => !one.includes('__proto__') && one.length <= 1_000);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('keep', 'drop'), paths: fc.array(path, { minLength: 1, maxLength: 3 }) }),
  fc.record({ op: fc.constant('rename'), from: path, to: safePath }),
  fc.record({ op: fc.constant('set'), path: safePath, value: fc.constantFrom('properties', '"x"', '[a, b]', 'a = b') }),
);

test('HOOK-7: whatever a shape makes of a body is the same each time, and what JSON gives back', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.jsonValue()), fc.array(operation, { maxLength: 5 }), (fields, operations) => {
      const before = JSON.stringify(fields);
      const body: JsonObject = JSON.parse(before);
      const shape = readShape(operations);
      const one = JSON.stringify(shaped(shape, body, new Budget()).body);
      expect(JSON.stringify(JSON.parse(one))).toBe(one);
      expect(JSON.stringify(shaped(shape, body, new Budget()).body)).toBe(one);
      expect(JSON.stringify(body)).toBe(JSON.stringify(JSON.parse(before)));
    }),
  );
});

test.each([
  [{}, '', 'must be a list'],
  [times(51, { op: 'drop', paths: ['a'] }), '[50]', 'at most 50 operations'],
  [['drop'], '[0]', 'must be an object'],
  [[{ op: 'delete' }], '[0].op', 'must be one of keep, drop, rename, set'],
  [[{ op: 'constructor' }], '[0].op', 'must be one of'],
  [[{ op: 'drop', paths: [] }], '[0].paths', 'list of 1 to 100 paths'],
  [[{ op: 'drop', paths: ['a', ''] }], '[0].paths[1]', 'must be a path'],
  [[{ op: 'drop', paths: ['a..b'] }], '[0].paths[0]', 'must be a path'],
  [[{ op: 'drop', paths: ['a'], path: 'b' }], '[0]', 'drop has paths alone, and no "path"'],
  [[{ op: 'rename', from: 'a' }], '[0].to', 'must be a path'],
  [[{ op: 'set', path: 'a', value: 5 }], '[0].value', 'must be an expression'],
  [[{ op: 'set', path: 'a', value: ' ' }], '[0].value', 'must be an expression'],
  [[{ op: 'set', path: 'a', value: 'b =' }], '[0].value', 'column 4: expected a value'],
])('HOOK-27: a shape that cannot be used is refused with its place: %j', (value, place, message) => {
  const read = () => readShape(value);
  expect(read).toThrow(SettingFault);
  expect(read).toThrow(message);
  expect(placeOf(read)).toBe(place);
});

function placeOf(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    return error instanceof SettingFault ? error.place : undefined;
  }
  return undefined;
}
