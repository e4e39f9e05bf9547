import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget } from '../../evaluation/budget.ts';
import { createUndecided } from '../../losses/undecided.ts';
import { filterChain } from '../../filters/filters.ts';
import type { FilterAction, Filter } from '../../model/resources.ts';
import type { Event } from '../../model/message.ts';
import { eventOf } from '../support/engine.ts';

const DESTINATION = 'workspaces/main/sources/js/destinations/webhooks';

interface Chain {
  readonly admits: (event: Event) => boolean;
  readonly reshape: (event: Event) => Event;
}

function chain(...filters: Partial<Filter>[]): Chain {
  const stored = filters.map((filter, index) => {
    const name = `${DESTINATION}/filters/df_${index}`;
    return { title: '', description: '', if: 'all', actions: [], enabled: true, ...filter, name };
  });
  const { admits, reshape } = filterChain(stored, createUndecided());
  return {
    admits: (event) => admits === undefined || admits(event, new Budget()),
    reshape: (event) => (reshape === undefined ? event : reshape(event, new Budget())),
  };
}

function fields(type: FilterAction['type'], lists: Record<string, string[]>): FilterAction {
  const groups = Object.entries(lists).map(([group, names]) => [group, { fields: names }]);
  return { type, fields: Object.fromEntries(groups) };
}

const EVENT: Event = eventOf(0, {
  properties: { a: 1, b: { c: 2, d: 3 }, 'e.f': 4 },
  traits: { email: 'a@example.com' },
  context: { ip: '1.2.3.4', os: { name: 'iOS' } },
});

test('a destination without filters gets every event whole', async () => {
  const { admits, reshape } = chain();
  expect([admits(EVENT), reshape(EVENT)]).toEqual([true, EVENT]);
});

test.each([
  ['its condition holds', { if: 'event = "Order Completed"' }, false],
  ['its condition does not hold', { if: 'event = "Other"' }, true],
  ['its condition is empty', { if: '' }, true],
  ['it is switched off', { enabled: false }, true],
  ['it has no actions', { actions: [] }, true],
])('a filter that drops, when %s', async (_what, filter, expected) => {
  expect(chain({ actions: [{ type: 'drop_event' }], ...filter }).admits(EVENT)).toBe(expected);
});

test.each([
  [{ properties: ['a', 'b.c'] }, { properties: { b: { d: 3 }, 'e.f': 4 } }],
  [{ properties: [String.raw`e\.f`, 'missing', 'a.deeper'] }, { properties: { a: 1, b: { c: 2, d: 3 } } }],
  [
    { traits: ['email'], context: ['ip'] },
    { traits: {}, context: { os: { name: 'iOS' } } },
  ],
  [{}, {}],
])('a block list of %j leaves %j', async (lists, left) => {
  for (const type of ['blacklist_fields', 'blocklist_fields'] as const) {
    expect(chain({ actions: [fields(type, lists)] }).reshape(EVENT)).toEqual({ ...EVENT, ...left });
  }
});

test.each([
  [{ properties: ['a', 'b.c'] }, { properties: { a: 1, b: { c: 2 } } }],
  [{ properties: ['b.c', 'b.d', 'missing', 'b.none'] }, { properties: { b: { c: 2, d: 3 } } }],
  [
    { properties: [], context: ['os'] },
    { properties: {}, context: { os: { name: 'iOS' } } },
  ],
  [{ properties: ['constructor', '__proto__'] }, { properties: {} }],
])('an allow list of %j leaves %j', async (lists, left) => {
  for (const type of ['whitelist_fields', 'allowlist_fields'] as const) {
    expect(chain({ actions: [fields(type, lists)] }).reshape(EVENT)).toEqual({ ...EVENT, ...left });
  }
});

test('fields are left out before only some are sent, whatever the order of the filters', async () => {
  const allow = { actions: [fields('whitelist_fields', { properties: ['a', 'b'] })] };
  const block = { actions: [fields('blacklist_fields', { properties: ['b.c'] })] };
  for (const filters of [
    [allow, block],
    [block, allow],
  ]) {
    expect(chain(...filters).reshape(EVENT).properties).toEqual({ a: 1, b: { d: 3 } });
  }
});

test('conditions see the event as it came, not as other filters leave it', async () => {
  const block = { actions: [fields('blacklist_fields', { properties: ['a'] })] };
  const second = { if: 'properties.a = 1', actions: [fields('blacklist_fields', { traits: ['email'] })] };
  expect(chain(block, second).reshape(EVENT)).toMatchObject({ properties: { b: { c: 2 } }, traits: {} });
});

test('an event is sampled out although no filter drops it', async () => {
  const { admits } = chain(
    { actions: [{ type: 'sample_event', percent: 0 }] },
    { actions: [{ type: 'drop_event' }], if: '' },
  );
  expect(admits(EVENT)).toBe(false);
});

test('HOOK-16: a delete passes every filter whole', async () => {
  const { admits, reshape } = chain({
    actions: [{ type: 'drop_event' }, fields('whitelist_fields', { context: [] })],
  });
  const notice = { ...EVENT, type: 'delete' } as const;
  expect([admits(notice), reshape(notice)]).toEqual([true, notice]);
});

test('a condition that cannot be read any more lets nothing pass', async () => {
  expect(chain({ if: 'event ==' }).admits(EVENT)).toBe(false);
});

test('SAFE-2: of an event that is stored already, what a condition that cannot be read any more may hold back is', () => {
  const reshaped = (type: FilterAction['type'], condition: string) =>
    chain({ if: condition, actions: [fields(type, { properties: ['a'] })] }).reshape(EVENT).properties;
  expect(reshaped('blacklist_fields', 'event ==')).toEqual({ b: { c: 2, d: 3 }, 'e.f': 4 });
  expect(reshaped('whitelist_fields', 'event ==')).toEqual({ a: 1 });
  // Twin: one that can be read, and does not hold.
  expect(reshaped('blacklist_fields', 'event = "Other"')).toEqual(EVENT.properties);
});

test('HOOK-16: a delete passes a filter whose condition cannot be read any more', async () => {
  expect(chain({ if: 'event ==' }).admits({ ...EVENT, type: 'delete' })).toBe(true);
});

test('a filter that drops drops, though it samples as well', async () => {
  const sample = { type: 'sample_event', percent: 1 } as const;
  for (const actions of [
    [{ type: 'drop_event' } as const, sample],
    [sample, { type: 'drop_event' } as const],
  ]) {
    expect(chain({ actions }).admits(EVENT)).toBe(false);
  }
});

test('a list is a value of its own, which paths do not lead into', async () => {
  const event = { ...EVENT, properties: { products: [{ sku: 's', price: 1 }] } };
  const reshaped = (type: FilterAction['type']) =>
    chain({ actions: [fields(type, { properties: ['products.sku'] })] }).reshape(event).properties;
  expect(reshaped('blacklist_fields')).toEqual(event.properties);
  expect(reshaped('whitelist_fields')).toEqual({});
});

test('a group that an event does not have is not made, whatever is listed of it', async () => {
  const event = eventOf(0);
  for (const type of ['blacklist_fields', 'whitelist_fields'] as const) {
    expect(chain({ actions: [fields(type, { traits: ['email'] })] }).reshape(event)).not.toHaveProperty('traits');
  }
});

async function share(percent: number, path: string, events: readonly Event[]): Promise<boolean[]> {
  const { admits } = chain({ actions: [{ type: 'sample_event', percent, path }] });
  return events.map(admits);
}

test('the share that passes is near what is asked for, and always the same', async () => {
  const events = Array.from({ length: 4_000 }, (_, index) => eventOf(0, { messageId: `m${index}` }));
  const passed = await share(0.25, '', events);
  expect(passed.filter(Boolean).length / 4_000).toBeCloseTo(0.25, 1);
  expect(await share(0.25, '', events)).toEqual(passed);
  expect(new Set(await share(1, '', events))).toEqual(new Set([true]));
  expect(new Set(await share(0, '', events))).toEqual(new Set([false]));
});

test('with a path, events with the same value there fare alike', async () => {
  const events = Array.from({ length: 600 }, (_, index) =>
    eventOf(0, { messageId: `m${index}`, userId: `u${index % 20}` }),
  );
  const passed = await share(0.5, 'userId', events);
  for (const user of Array.from({ length: 20 }, (_, index) => index)) {
    expect(new Set(passed.filter((_, index) => index % 20 === user)).size).toBe(1);
  }
  expect(new Set(passed).size).toBe(2);
  expect(new Set(await share(0.5, 'properties.none', events)).size).toBe(2);
});

test('an event is never given anything by filters, and never changed itself', async () => {
  const names = fc.constantFrom('a', 'b', 'c', 'b.c', 'b.c.d', String.raw`e\.f`, '__proto__', '');
  const action = fc
    .tuple(fc.constantFrom('whitelist_fields' as const, 'blacklist_fields' as const), fc.array(names))
    .map(([type, list]) => fields(type, { properties: list.filter((name) => name !== '') }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 3 }),
      fc.object({ key: names, maxDepth: 3 }),
      async (actions, properties) => {
        const event = eventOf(0, { properties });
        const before = structuredClone(event);
        const { reshape } = chain({ actions });
        const shaped = reshape(event);
        expect(event).toEqual(before);
        expect(leaves(event.properties)).toEqual(expect.arrayContaining(leaves(shaped.properties)));
      },
    ),
  );
});

/** Every value of an object with the way to it. */
function leaves(value: unknown, way = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${way} ${String(value)}`];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${way}/${key}`));
}
