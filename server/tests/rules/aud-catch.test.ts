import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createCatcher, mayMeet } from '../../audiences/catch.ts';
import { HOUR_MS, hourOf } from '../../audiences/hours.ts';
import { partsNeeded } from '../../audiences/needed-parts.ts';
import { Budget } from '../../evaluation/budget.ts';
import { holds } from '../../fql/evaluate.ts';
import { parse } from '../../fql/parse.ts';
import { createAccept } from '../../events/accept.ts';
import type { Event } from '../../model/message.ts';
import type { Accepted, AcceptRequest } from '../../storage/delivery-storage.ts';
import { RecordingDispatcher } from '../support/ingestion-dispatcher.ts';
import { stillClock } from '../support/still-clock.ts';

const WORKSPACE = 'workspaces/main';
const START = Date.UTC(2026, 0, 1);

function event(given: Partial<Event> = {}): Event {
  const at = new Date(START).toISOString();
  return {
    type: 'track',
    messageId: 'm1',
    userId: 'u1',
    event: 'Bought',
    context: {},
    timestamp: at,
    receivedAt: at,
    ...given,
  };
}

function catcherOf(...conditions: readonly string[]) {
  const measures = conditions.map((where) => ({ id: where, kind: 'amounts' as const, where, from: 0 }));
  const space = { id: `${WORKSPACE}@1`, workspace: WORKSPACE, measures };
  const computed = new Map([[`${WORKSPACE}/audiences/aud_big`, {}]]);
  return createCatcher({
    computations: (name) => ({ space: name === WORKSPACE ? space : undefined, get: (one) => computed.get(one) }),
    erasures: () => 0,
  });
}

/** What is caught of events that are accepted one after another, parsed. */
function caught(conditions: readonly string[], events: readonly Event[], isNew = true): unknown[] {
  const catcher = catcherOf(...conditions);
  return events.map((one) => {
    const batch = catcher.begin(WORKSPACE);
    const text = batch?.of(one);
    batch?.stored([isNew]);
    return text === undefined ? undefined : JSON.parse(text);
  });
}

test('AUD-6: of workspaces without audiences nothing is kept', () => {
  expect(catcherOf("event = 'Bought'").begin('workspaces/other')).toBeUndefined();
});

test('AUD-6: of an event that a condition may count what conditions look at is kept, with its ids and times', () => {
  const bought = event({ properties: { total: 3, text: 'long' }, context: { ip: '192.0.2.1' }, anonymousId: 'a1' });
  expect(caught(["event = 'Bought' and properties.total > 5", "context.page.url = ''"], [bought])).toEqual([
    { ...bought, context: {}, properties: { total: 3 } },
  ]);
  const identify = event({ type: 'identify', traits: { plan: 'pro', seats: 3 } });
  expect(caught(["type = 'identify' and traits.plan = 'pro'"], [identify])).toMatchObject([
    { traits: { plan: 'pro', seats: 3 } },
  ]);
});

test('AUD-6: of an event that no condition counts only its ids are kept, once an hour for each pair', () => {
  const seen = event({ event: 'Seen', anonymousId: 'a1', properties: { page: '/' } });
  const { messageId, userId, anonymousId, timestamp, receivedAt } = seen;
  const ids = { messageId, userId, anonymousId, timestamp, receivedAt };
  const later = new Date(START + HOUR_MS + 1).toISOString();
  const next = { ...seen, timestamp: later, receivedAt: later };
  expect(caught(["event = 'Bought'"], [seen, seen, next])).toEqual([
    ids,
    undefined,
    { ...ids, timestamp: later, receivedAt: later },
  ]);
});

test('AUD-7: no two pairs of ids are taken for one, whatever is in them', () => {
  const pairs = [['a', 'b'], ['ab'], ['a', ''], ['a'], ['', 'ab'], ['1 a', 'b'], ['with 1 ab'], ['1 ab']] as const;
  const events = pairs.map(([userId, anonymousId]) =>
    event({ event: 'Seen', userId, ...(anonymousId === undefined ? {} : { anonymousId }) }),
  );
  expect(caught(["event = 'Bought'"], events).filter((one) => one === undefined)).toEqual([]);
});

test('AUD-7: an earlier time of a known pair is kept: owners follow the earliest in each hour', () => {
  const at = (minutes: number) => ({ timestamp: new Date(START + minutes * 60_000).toISOString() });
  const received = { receivedAt: new Date(START + HOUR_MS).toISOString() };
  const of = (minutes: number): Event => event({ event: 'Seen', anonymousId: 'a1', ...received, ...at(minutes) });
  const kept = caught(["event = 'Bought'"], [of(20), of(30), of(10), of(15)]);
  expect(kept.map((one) => one !== undefined)).toEqual([true, false, true, false]);
});

test('AUD-7: an event that was not stored leaves its pair unknown', () => {
  const seen = event({ event: 'Seen', anonymousId: 'a1' });
  expect(caught([], [seen, seen], false).every((one) => one !== undefined)).toBe(true);
});

test('AUD-7: nothing is remembered of events that were not stored, whatever times they claim', () => {
  const catcher = catcherOf("event = 'Bought'");
  const remembered = vi.spyOn(Map.prototype, 'set');
  const send = (hour: number, isNew: boolean): void => {
    const batch = catcher.begin(WORKSPACE);
    batch?.of(event({ event: 'Seen', timestamp: new Date(START - hour * HOUR_MS).toISOString() }));
    batch?.stored([isNew]);
  };
  try {
    send(0, true);
    expect(remembered).toHaveBeenCalled();
    remembered.mockClear();
    for (let hour = 1; hour < 100; hour += 1) send(hour, false);
    expect(remembered).not.toHaveBeenCalled();
  } finally {
    remembered.mockRestore();
  }
});

test('AUD-7: pairs of ids of 500 characters are known when they come again, longer ones take no memory', () => {
  const events = [500, 501].flatMap((length) => {
    const seen = event({ event: 'Seen', userId: 'x'.repeat(length) });
    return [seen, seen];
  });
  const kept = caught(["event = 'Bought'"], events);
  expect(kept.map((one) => one !== undefined)).toEqual([true, false, true, true]);
});

test('AUD-6: traits are kept of each identify, both ids of an alias, a visitor and our own calls not', () => {
  const identify = event({ type: 'identify', traits: { plan: 'pro' } });
  const alias = event({ type: 'alias', previousId: 'u0' });
  const { userId: _userId, ...visitor } = event({ event: 'Seen', anonymousId: 'a1' });
  const own = event({ type: 'identify', context: { personas: { namespace: 'main', computation_id: 'aud_big' } } });
  const [first, second, ...rest] = caught(
    ["event = 'Bought'"],
    [identify, alias, visitor, own, event({ type: 'delete' })],
  );
  expect(first).toMatchObject({ type: 'identify', traits: { plan: 'pro' } });
  const { context: _context, ...said } = alias;
  expect(second).toEqual(said);
  expect(rest).toEqual([undefined, undefined, undefined]);
});

const name = fc.constantFrom('Bought', 'Seen', 'Left');
const path = fc.constantFrom('event', 'type', 'name', 'properties.total', 'context.event');
const literal = fc.oneof(
  name.map((text) => `'${text}'`),
  fc.constantFrom("'track'", "'page'", '3', 'null', 'event'),
);
const condition = fc.letrec<{ readonly any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(path, fc.constantFrom('=', '!=', '>'), literal).map((parts) => parts.join(' ')),
    fc.tuple(literal, path).map(([value, field]) => `${value} = ${field}`),
    fc
      .tuple(path, fc.array(literal, { minLength: 1, maxLength: 3 }))
      .map(([field, items]) => `${field} in [${items.join(', ')}]`),
    fc
      .tuple(tie('any'), fc.constantFrom('and', 'or'), tie('any'))
      .map(([one, word, other]) => `(${one}) ${word} (${other})`),
    tie('any').map((one) => `!(${one})`),
  ),
})).any;
const someEvent = fc
  .record({
    type: fc.constantFrom('track', 'page'),
    event: name,
    name,
    properties: fc.record({ total: fc.integer({ min: 0, max: 9 }) }),
  })
  .map((given) => event({ ...given, type: given.type === 'track' ? 'track' : 'page' }));

/** What `wanted` lets go although the condition holds for it. */
function missed(wanted: typeof mayMeet) {
  return fc.property(condition, someEvent, (text, one) => {
    const expression = parse(text);
    const isLost = holds(expression, one, new Budget()) && !wanted([expression])(one);
    expect(isLost, text).toBe(false);
  });
}

test('AUD-6: nothing that a condition counts is let go', () => {
  expect(fc.check(missed(mayMeet), { seed: 1, numRuns: 2_000 })).toMatchObject({ failed: false });
});

const tooFine: typeof mayMeet = (conditions) => (one) => one.event === 'Bought' && mayMeet(conditions)(one);

test('AUD-6: a sieve that is too fine is found', () => {
  expect(fc.check(missed(tooFine), { seed: 1, numRuns: 2_000 }).failed).toBe(true);
});

const deepPath = fc.constantFrom(
  'event',
  'properties',
  'properties.total',
  'properties.list',
  'properties.list.0',
  'context.page.url',
);
const deepCondition = fc.oneof(
  condition,
  fc.tuple(deepPath, fc.constantFrom('=', '!=', '<'), literal).map((parts) => parts.join(' ')),
  fc.tuple(deepPath, deepPath).map(([one, other]) => `${one} = ${other}`),
  deepPath.map((one) => `length(${one}) > 1`),
  fc.tuple(literal, deepPath).map(([value, one]) => `contains(${one}, ${value})`),
);
const deepEvent = fc
  .record({
    properties: fc.oneof(
      fc.jsonValue(),
      fc.record(
        { total: fc.jsonValue(), list: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()) },
        { requiredKeys: [] },
      ),
    ),
    page: fc.oneof(fc.jsonValue(), fc.record({ url: fc.jsonValue() })),
  })
  .map(({ properties, page }) => ({ ...event(), properties, context: { page } }));

/** Conditions that say another thing of what is kept of an event than of the event. */
function changed(needed: typeof partsNeeded) {
  return fc.property(deepCondition, deepCondition, deepEvent, (where, other, one) => {
    const [expression, part] = [parse(where), needed([parse(where), parse(other)])(one)];
    // As it is stored.
    const kept: object = JSON.parse(JSON.stringify(part));
    const [whole, of] = [one, kept].map((given) => holds(expression, given, new Budget()));
    expect(of, where).toBe(whole);
  });
}

test('AUD-6: conditions hold for what is kept of an event where they hold for the event', () => {
  expect(fc.check(changed(partsNeeded), { seed: 1, numRuns: 3_000 })).toMatchObject({ failed: false });
});

const tooLittle: typeof partsNeeded = (conditions) => partsNeeded(conditions.slice(1));

test('AUD-6: what keeps too little of an event is found', () => {
  expect(fc.check(changed(tooLittle), { seed: 1, numRuns: 3_000 }).failed).toBe(true);
});

test('AUD-6: an hour ends with the moment that begins the next', () => {
  expect([hourOf(HOUR_MS), hourOf(HOUR_MS + 1), hourOf(2 * HOUR_MS)]).toEqual([0, 1, 1]);
});

test('AUD-6: what is kept of an event is stored with it, and counts once it is new', async () => {
  const [batches, told]: [AcceptRequest[], (readonly boolean[])[]] = [[], []];
  const accept = createAccept({
    deliveries: {
      accept: (batch): Promise<Accepted> => {
        batches.push(batch);
        return Promise.resolve([[], 'duplicate', []]);
      },
    },
    dispatcher: new RecordingDispatcher(),
    clock: stillClock(() => START),
    catcher: {
      begin: (workspace) => ({
        of: ({ messageId }) => (messageId === 'other' ? undefined : `${workspace} ${messageId}`),
        stored: (isNew) => void told.push(isNew),
      }),
    },
  });
  const routed = ['new', 'known', 'other'].map((messageId) => ({
    source: `${WORKSPACE}/sources/js`,
    event: event({ messageId }),
    to: [],
  }));
  expect(await accept(routed, { workspace: WORKSPACE, version: 1 })).toEqual([true, false, true]);
  const kept = batches.flatMap(({ acceptances }) => acceptances.map((one) => one.caught));
  expect(kept).toEqual([`${WORKSPACE} new`, `${WORKSPACE} known`, undefined]);
  expect(told).toEqual([[true, false, true]]);
});
