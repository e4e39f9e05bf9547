import { eventOf } from './engine.ts';
import { orderPlan, trackOf } from './tracking.ts';
import type { Event, JsonObject } from '../../model/message.ts';

/** What was made to take as long as it can: conditions and plans within all limits, events of at most 32 KB. */

const long = (text: string, times: number): string => text.repeat(times);
const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));
const fields = (count: number, make: (at: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(many(count, (at) => [`k${at}`, make(at)]));

/** As often as a condition has room for it. */
function filled(make: (at: number) => string, separator: string): string {
  let condition = make(0);
  for (let at = 1; condition.length + make(at).length + separator.length <= 4_096; at += 1) {
    condition += separator + make(at);
  }
  return condition;
}

const eventWith = (properties: JsonObject): Event => eventOf(0, { properties });
const LETTERS = eventWith({ x: long('a', 31_000) });

/** Conditions of filters, each with the event that it takes longest for. */
export const HOSTILE_CONDITIONS: Readonly<Record<string, readonly [condition: string, event: Event]>> = {
  'a pattern of 4 000 characters': [`match(properties.x, "${long('*a', 1_990)}*b")`, LETTERS],
  'a pattern of one long segment': [`match(properties.x, "*${long('a', 4_000)}b*")`, LETTERS],
  'a pattern with gaps': [`match(properties.x, "*${long('a?', 1_990)}b*")`, LETTERS],
  'a pattern of the event itself': [
    'match(properties.x, properties.y)',
    eventWith({ x: long('a', 16_000), y: `*${long('a', 7_000)}b${long('a', 7_000)}` }),
  ],
  'a pattern of the event with gaps': [
    'match(properties.x, properties.y)',
    eventWith({ x: long('a', 16_000), y: `*?${long('a', 8_000)}b*` }),
  ],
  'a pattern of many classes': [
    'match(properties.x, properties.y)',
    eventWith({ x: long('a', 16_000), y: `*${long('[ab]', 3_000)}c` }),
  ],
  'a pattern that never closes': [
    'match(properties.x, properties.y)',
    eventWith({ x: long('a', 16_000), y: `*${long('[', 14_000)}` }),
  ],
  'many patterns': [filled((at) => `match(properties.x, "*a${at}*b")`, ' or '), LETTERS],
  'many searches': [
    filled(() => 'contains(properties.x, properties.y)', ' or '),
    eventWith({ x: long('a', 16_000), y: `${long('a', 7_000)}b${long('a', 7_000)}` }),
  ],
  'many words': [filled((at) => `snakecase(properties.x) = "${at}"`, ' or '), eventWith({ x: long('жЖ', 7_000) })],
  'texts that double': [`${long('string([', 49)}properties.x${long('])', 49)} = "a"`, eventWith({ x: long('"', 10) })],
  'long lists': [
    filled(() => 'properties.l = properties.m', ' or '),
    eventWith({ l: [...many(7_000, () => 1), 1], m: [...many(7_000, () => 1), 2] }),
  ],
  'many looks into a list': [filled(() => '"y" in properties.l', ' or '), eventWith({ l: many(7_000, () => 'x') })],
  'objects as text': [filled(() => 'string(properties.l) = "a"', ' or '), eventWith({ l: fields(2_500, () => [0]) })],
  'deep nesting': [`${long('!', 99)}(${filled(() => 'a', ' or ').slice(0, 3_900)}a)`, LETTERS],
};

const alternatives = (count: number): object => ({ anyOf: many(count, (at) => ({ const: `x${at}` })) });

/** Schemas of an order's properties, each with the properties that take longest to check. */
const SCHEMAS: Readonly<Record<string, readonly [schema: object, properties: object]>> = {
  'many alternatives': [{ properties: { l: { items: alternatives(240) } } }, { l: many(7_500, () => 'y') }],
  'alternatives of objects': [
    { properties: { l: { items: { enum: many(100, (at) => ({ a: at, b: { c: at } })) } } } },
    { l: many(1_200, () => ({ a: 1, b: { c: 2 } })) },
  ],
  'a pattern that explodes': [{ properties: { x: { pattern: '[ab]*a[ab]{900}c' } } }, { x: long('ab', 15_000) }],
  'many patterns': [
    { properties: { x: { anyOf: many(125, (at) => ({ pattern: `[ab]*a[ab]{${at}}c` })) } } },
    { x: long('ab', 15_000) },
  ],
  'patterns of names': [
    { patternProperties: Object.fromEntries(many(50, (at) => [`[ab]*a[ab]{${at}}c`, { type: 'string' }])) },
    fields(2_000, () => 1),
  ],
  'many faults': [{ properties: fields(900, () => ({ type: 'string' })) }, fields(2_500, () => 1)],
  'many unplanned fields': [{ properties: { a: {} }, additionalProperties: false }, fields(2_500, () => 1)],
  'many faults in a list': [
    { properties: { l: { items: { properties: { a: { type: 'string' } }, required: ['z'] } } } },
    { l: many(2_500, () => ({ a: 1 })) },
  ],
  'unique items, asked often': [
    { allOf: many(300, () => ({ properties: { l: { uniqueItems: true } } })) },
    { l: many(2_000, (at) => ({ a: at, b: 1 })) },
  ],
  'many formats': [
    { properties: { x: { allOf: many(200, (at) => ({ format: ['email', 'uri', 'hostname'][at % 3] })) } } },
    { x: long('a', 31_000) },
  ],
  'many lengths': [
    { properties: { x: { allOf: many(900, () => ({ maxLength: 40_000 })) } } },
    { x: long('a', 31_000) },
  ],
  'many names': [{ propertyNames: alternatives(200) }, fields(2_500, () => 1)],
  'one of many': [
    { properties: { l: { items: { oneOf: many(100, (at) => ({ multipleOf: at + 0.5 })) } } } },
    { l: many(14_000, () => 1) },
  ],
  'many dependencies': [{ dependencies: fields(1_600, () => ['z']) }, fields(2_500, () => 1)],
};

/** Rules of plans that say it twice, for the event and for all events; each with its event. */
export const HOSTILE_PLANS: Readonly<Record<string, readonly [rules: object, event: Event]>> = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, [schema, properties]]) => {
    const whole = { type: 'object', properties: { properties: { type: 'object', ...schema } } };
    return [name, [orderPlan(schema, { global: whole }), trackOf(properties)]];
  }),
);

/** Regular expressions that take longest to be read. */
export const HOSTILE_PATTERNS: Readonly<Record<string, string>> = {
  'written out': `(${long('a', 900)}){1000}`,
  'written out side by side': long('a{1000}', 100),
  'classes of Unicode': long(String.raw`\p{L}`, 800),
  'classes of Unicode within one': `[${long(String.raw`\p{L}`, 60)}]`,
  'case of wide classes': `(?i)${long(String.raw`[Ā-\x{fffe}]`, 200)}`,
  'many alternatives': many(800, (at) => `w${at}`).join('|'),
  'many groups': `${long('(', 999)}a${long(')', 999)}`,
  'long text': long('a', 20_000),
};
