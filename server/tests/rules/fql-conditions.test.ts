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
  ['"a" < "b"', true],
  ['"a" < 1', false],
  ["\"it's\" = 'it\\'s'", true],
])('%s is %s for the event', (condition, expected) => {
  expect(holds(parse(condition), EVENT, new Budget())).toBe(expected);
});

test.each([
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
  ['bool("x")', true],
  ['bool(0)', false],
  ['bool(properties.missing)', false],
  ['string(properties.total)', '12.5'],
  ['string(properties.items)', '["a","b"]'],
  ['string(properties.missing)', null],
  ['number("12")', 12],
  ['number("x")', null],
  ['number(true)', 1],
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
