import { expect, test } from 'vitest';
import { holds, valueOf } from '../../fql/evaluate.ts';
import { parse } from '../../fql/parse.ts';
import { FqlFault } from '../../fql/syntax-fault.ts';
import { Budget } from '../../evaluation/budget.ts';

const EVENT = {
  type: 'track',
  event: 'Order Completed',
  userId: 'u1',
  properties: {
    total: 12.5,
    coupon: '',
    items: ['a', 'b'],
    paid: true,
    none: null,
    'first name': 'Ada',
    'a.b': 'dotted',
    ünï: 'x',
    address: { city: 'Köln' },
  },
  context: { ip: '10.1.2.3', os: { name: 'iOS' } },
};

test.each([
  ['all', true],
  ['', false],
  ['   ', false],
  ['type = "track"', true],
  ["type = 'track'", true],
  ['type = "page"', false],
  ['type != "page"', true],
  ['event = "Order Completed" and properties.total > 10', true],
  ['event = "Order Completed" and properties.total > 12.5', false],
  ['properties.total >= 12.5', true],
  ['properties.total < 1e2', true],
  ['properties.total <= -1', false],
  ['type = "page" or type = "track"', true],
  ['type = "page" or type = "track" and false', false],
  ['(type = "page" or type = "track") and true', true],
  ['!type = "page"', true],
  ['!(type = "track")', false],
  ['!!paid', false],
  ['!!properties.paid', true],
  ['properties.paid', true],
  ['properties.paid = true', true],
  ['properties.paid = "true"', false],
  ['properties.total = "12.5"', false],
  ['properties.none = null', true],
  ['properties.missing = null', true],
  ['properties.missing.deeper = null', true],
  ['properties.missing != null', false],
  ['properties.missing > 1', false],
  ['properties.missing and true', false],
  ['properties.missing or true', true],
  ['type in ["page", "track"]', true],
  ['type in []', false],
  ['"b" in properties.items', true],
  ['"c" in properties.items', false],
  ['properties.items = ["a", "b"]', true],
  ['properties.items = ["b", "a"]', false],
  [String.raw`properties.first\ name = "Ada"`, true],
  [String.raw`properties.a\.b = 'dotted'`, true],
  [String.raw`properties.\ü\n\ï = "x"`, true],
  ['properties.constructor = null', true],
  ['properties.address.city = "Köln"', true],
  ['properties.items = ["a"]', false],
  ['properties.items = "a"', false],
  ['properties.items >= properties.items', false],
  ['properties.address = properties.address', false],
  ['properties.none = properties.missing', true],
  // Texts and null have no fields.
  ['event.length = null', true],
  ['properties.none.deeper = null', true],
  ['"a" < "b"', true],
  ['"a" < 1', false],
  ["\"it's\" = 'it\\'s'", true],
])('%s is %s for the event', (condition, expected) => {
  expect(holds(parse(condition), EVENT, new Budget())).toBe(expected);
});

test.each([
  ['', false],
  ['contains(event, "Order")', true],
  ['contains(event, "order")', false],
  ['contains(properties.items, "a")', true],
  ['contains(properties.missing, "a")', false],
  ['length(properties.address.city)', 5],
  ['length(properties.items)', 2],
  ['length(properties.missing)', 0],
  ['lowercase(event)', 'order completed'],
  ['lowercase(properties.missing)', null],
  ['uppercase("ß")', 'SS'],
  ['snakecase("Order Completed")', 'order_completed'],
  ['snakecase("orderCompletedHTTPOk")', 'order_completed_http_ok'],
  ['kebabcase("Order Completed")', 'order-completed'],
  ['titlecase("order COMPLETED")', 'Order Completed'],
  ['typeof(event)', 'string'],
  ['typeof(properties.total)', 'number'],
  ['typeof(properties.items)', 'list'],
  ['typeof(properties.paid)', 'bool'],
  ['typeof(properties.none)', 'null'],
  ['typeof(properties.missing)', 'null'],
  ['typeof(properties)', 'object'],
  ['match(context.ip, "10.*")', true],
  ['match(context.ip, "10.?.?.[0-9]")', true],
  ['match(properties.missing, "*")', false],
  ['bool("false")', false],
  ['bool("FALSE")', false],
  ['bool("0")', false],
  ['bool(properties.coupon)', false],
  ['bool("x")', true],
  ['bool("falsehood")', true],
  ['bool(0)', false],
  ['bool(-2)', true],
  ['bool(properties.paid)', true],
  ['bool(properties.address)', false],
  ['bool(properties.missing)', false],
  ['string(properties.total)', '12.5'],
  ['string(properties.items)', '["a","b"]'],
  ['string(properties.missing)', null],
  ['number("12")', 12],
  ['number("x")', null],
  ['number(true)', 1],
  ['number(false)', 0],
  ['number(properties.coupon)', null],
  ['number("  ")', null],
  ['number(properties.items)', null],
  ['number(1.5)', 1.5],
  ['contains(properties.items, "c")', false],
  ['contains(properties.total, "1")', false],
  ['contains(event, properties.total)', false],
  ['match(event, properties.total)', false],
  ['match("ab", "a")', false],
  ['bool("no")', true],
  ['bool("0.0")', true],
  ['length(event)', 15],
  ['string(properties.paid)', 'true'],
  ['string(event)', 'Order Completed'],
  ['snakecase("--")', ''],
  ['number("1e400")', null],
])('%s comes to %j', (condition, expected) => {
  expect(valueOf(parse(condition), EVENT, new Budget())).toEqual(expected);
});

test.each([
  ['type =', 7, 'expected a value, got the end of the condition'],
  ['type == "track"', 7, 'expected a value, got "="'],
  ['type = "track', 8, 'the text that begins here has no closing "'],
  ['(type = "track"', 16, 'expected ")", got the end'],
  ['type = "track")', 15, 'expected the end'],
  ['and type', 1, '"and" needs a value before it'],
  ['type = "a" and', 15, 'expected a value'],
  ['type # 1', 6, '"#" is not expected'],
  ['first name = 1', 7, 'expected the end'],
  ['contain(type, "a")', 1, 'contain is no function'],
  ['contains(type)', 1, 'contains takes 2 arguments, got 1'],
  ['length()', 1, 'length takes 1 argument, got 0'],
  ['[1, 2', 6, 'expected "]"'],
  ['type in', 8, 'expected a value'],
  ['constructor("a")', 1, 'constructor is no function'],
  ['.type = 1', 1, '"." is not expected'],
  ['type. = 1', 5, '"." is not expected'],
  [`${'('.repeat(101)}type${')'.repeat(101)}`, 102, 'nested deeper than 100'],
  [`${'!'.repeat(101)}type`, 102, 'nested deeper than 100'],
  [' '.repeat(4_097), 4_097, 'at most 4096 characters'],
])('%.40s is refused at column %i', (condition, column, text) => {
  const fault = faultOf(condition);
  expect([fault?.column, fault?.message]).toEqual([column, expect.stringContaining(text)]);
});

function faultOf(condition: string): FqlFault | undefined {
  try {
    parse(condition);
    return undefined;
  } catch (error) {
    if (error instanceof FqlFault) return error;
    throw error;
  }
}

test.each([
  ['<', [true, false, false]],
  ['<=', [true, true, false]],
  ['>', [false, false, true]],
  ['>=', [false, true, true]],
  ['=', [false, true, false]],
  ['!=', [true, false, true]],
])('%s compares what is smaller, equal and larger: %j, numbers and texts alike', (operator, expected) => {
  const answers = (smaller: unknown, larger: unknown): boolean[] =>
    [
      { a: smaller, b: larger },
      { a: smaller, b: smaller },
      { a: larger, b: smaller },
    ].map((event) => holds(parse(`a ${operator} b`), event, new Budget()));
  expect(answers(-1, 2)).toEqual(expected);
  expect(answers('a', 'b')).toEqual(expected);
});

const eventOf = (length: number) => ({ x: 'a'.repeat(length), y: `${'a'.repeat(length - 1)}b` });

const stepsOf = (condition: string, event: object): number => {
  const budget = new Budget();
  valueOf(parse(condition), event, budget);
  return budget.used;
};

test.each([
  'contains(x, "b")',
  'length(x)',
  'lowercase(x)',
  'uppercase(x)',
  'snakecase(x)',
  'kebabcase(x)',
  'titlecase(x)',
  'match(x, "*b")',
  'string([x])',
  'number(x)',
  'x = y',
])('SAFE-2: %s pays for the length of the text that it works on', (condition) => {
  expect(stepsOf(condition, eventOf(40_000))).toBeGreaterThan(stepsOf(condition, eventOf(10)) + 2_000);
});

test('SAFE-2: each item of a list that is looked through takes a step, and each part of a condition', () => {
  const items = Array.from({ length: 10_000 }, (_, at) => at);
  expect(stepsOf('contains(x, "b")', { x: items })).toBeGreaterThanOrEqual(10_000);
  const parts = Array.from({ length: 300 }, () => 'a').join(' or ');
  expect(stepsOf(parts, {})).toBeGreaterThan(300);
});
