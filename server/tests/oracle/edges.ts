import type { Random } from '../../ports/random.ts';

/** What the events and definitions of one world are made of. */
export interface Palette {
  readonly users: readonly string[];
  /** One of them is a user id as well, and one of no person. */
  readonly visitors: readonly string[];
  readonly events: readonly string[];
  readonly totals: readonly unknown[];
  readonly items: readonly unknown[];
  /** Values of a property that is not added up. */
  readonly codes: readonly unknown[];
  readonly conditions: readonly string[];
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  readonly traits: Readonly<Record<string, readonly unknown[]>>;
  readonly moments: readonly string[];
  readonly windows: readonly string[];
  readonly sinces: readonly string[];
  /** Times that some events have, as senders write them. */
  readonly timestamps: readonly string[];
  readonly isAtEdges: boolean;
}

export const USUAL: Palette = {
  users: ['ada', 'bob', 'cyd', '\uFF5A', '\u{1F600}'],
  visitors: ['phone', 'tablet', 'bob', 'null'],
  events: ['Bought', 'Bought', 'Viewed', 'Left'],
  totals: [0, 3, 7, 7.5, 12.25, 20, -4, 'many'],
  items: ['pen', 'ink', 'book', 'a"b', '\u{1F600}', '\uFF5A', 3, true, ['pen']],
  codes: [],
  conditions: [
    'all',
    "event = 'Bought'",
    "event = 'Bought' and properties.total > 10",
    "'Bought' = event and !(properties.item = 'ink')",
    "event in ['Bought', 'Viewed']",
    "event != 'Bought'",
    "type = 'page' or event = 'Viewed'",
    "type = 'track' and (properties.total >= 5 or contains(properties.item, 'n'))",
    "!(type = 'identify')",
    "type in ['identify', 'alias']",
    'properties.total <= 20 and properties.total != 7',
  ],
  numbers: [0, 1, 2, 3, 7.5, 20],
  texts: ['pro', 'free', 'pen', 'p', 'a"b', 'Bo', 'Bought'],
  traits: {
    plan: ['pro', 'free', 'prime', null],
    score: [1, 3, 7.5, -2, '3'],
    tags: [['p', 3], ['pen'], [], 'pen', { a: 1 }],
    since: ['2026-01-20', '2026-02-03T10:00:00+02:00', 'soon', true],
  },
  moments: ['2026-02-01T00:00:00Z', '2026-01-15'],
  windows: ['1h', '3h', '24h', '2d', '7d', '30d'],
  sinces: [],
  timestamps: [],
  isAtEdges: false,
};

/**
 * Numbers whose sum is the same in any order of addition, as a database adds in one of its own: multiples of one power of two, what
 * is too small to change a sum or too large to be added up, tenths, whole numbers that a sum of a hundred holds exactly.
 */
const AMOUNTS: readonly (readonly unknown[])[] = [
  [7.5, 3, 1e308, -1e308, 1e305, 1.0001e100, -Number.MAX_VALUE, 12],
  [5e-324, -5e-324, -0, 0, 7.5, 20],
  [5e-324, 5e-324, 5e-324],
  [2 ** 60, 2 ** 61, -(2 ** 60)],
  [2 ** 332, -(2 ** 332), 2 ** 331],
  [0.1, 0.2, 0.7, 1.1, -0.3],
  [1_700_000_023_758, 1_700_000_055_434, 599_999_999_999.5, 7],
  [5_000_000_000.25, 8_999_999_999, 4_503_599_627.5],
];

const [HALF, NUL, LONG] = ['x\uD801', 'n\0l', 'l'.repeat(1_500)];
const OF_PROTOTYPES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const TEXTS = [
  ...OF_PROTOTYPES,
  HALF,
  NUL,
  String.raw`b\u0000c`,
  'l'.repeat(400),
  'x'.repeat(5_000),
  ' ',
  '%_',
  '\u{1F600}',
];
const CODES = [
  ...TEXTS,
  1e308,
  5e-324,
  -0,
  2 ** 53 + 2,
  1e21,
  123_456_789_012_345_680_000,
  0.1 + 0.2,
  1e-7,
  0.000001,
  '',
];
const NUMBERS = [5e-324, -0, 1e308, -1e308, 2 ** 60, 2 ** 53 + 2, 0.3, 0.1 + 0.2, 1e-7, 1_700_000_023_758, 0.000001];
const MOMENTS = [
  '0000-01-01',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2016-12-31T23:59:60Z',
  '2017-01-01T00:00:00Z',
  '2024-02-29',
  '2026-01-20T24:00:00Z',
  '2026-01-20T05:00:00+14:00',
  '2026-01-20T05:00:00-2359',
  '2026-1-5',
  '2026-01-20 05:00',
  '2026-01-20T05:00:00.1239999Z',
  '1969-12-31T23:59:59.999Z',
];
const NO_MOMENTS = [
  '2026-02-29',
  '2026-01',
  '2026-01-20T25:00:00Z',
  '2026-01-20T05:00:61Z',
  '2026-13-01',
  '1768890000000',
  '12026-01-20',
  '2026-01-20T05:00:00 Z',
];

/** A world of what stands at the edges of what can be sent and asked for. */
export function edgesOf(random: Random): Palette {
  const amounts = AMOUNTS[Math.floor(random() * AMOUNTS.length)] ?? [];
  return {
    ...USUAL,
    users: ['ada', 'bob', '\uFF5A', '\u{1F600}', ...OF_PROTOTYPES, HALF, NUL, LONG, ' ada', '%_'],
    visitors: ['phone', 'bob', 'null', ' NULL ', '__proto__', HALF, NUL, LONG],
    events: ['Bought', 'Bought', 'Viewed', ...OF_PROTOTYPES, NUL, HALF, LONG],
    totals: [...amounts, ...amounts, 'many', null],
    items: ['pen', 'ink', ...TEXTS, true, ['pen'], {}],
    codes: CODES,
    conditions: [
      ...USUAL.conditions,
      "event = '__proto__'",
      "event in ['constructor', 'Bought']",
      "properties.constructor = 'pen' or properties.item = 'pen'",
      "properties.__proto__ = 'ink' or event = 'toString'",
      'properties.total >= 9007199254740994 or properties.code > 1',
      "properties.code = '' or properties.code = 0",
    ],
    numbers: [...USUAL.numbers, ...NUMBERS],
    texts: [...USUAL.texts, ...TEXTS.filter((text) => text.length < 1_000), '', '\uD83D', '\0'],
    traits: {
      ...USUAL.traits,
      plan: ['pro', 'free', null, ...TEXTS],
      score: [...NUMBERS, 3, '3', 'x'.repeat(4_094), 'x'.repeat(4_095)],
      tags: [['p', NUL, 3], [HALF, 'pen'], [0, 1e308, 5e-324], [[['pen']]], [], 'pen'],
      since: [...MOMENTS, ...NO_MOMENTS, ...(USUAL.traits['since'] ?? [])],
      ...Object.fromEntries([...OF_PROTOTYPES, HALF, NUL].map((name) => [name, ['pro', 3, null, NUL]])),
      ['n'.repeat(200)]: ['pro', 3],
      ['n'.repeat(201)]: ['pro', 3],
      '': ['pro'],
    },
    moments: MOMENTS,
    windows: [...USUAL.windows, '90d', '2160h'],
    sinces: ['0001-01-01T00:00:00Z', '9999-12-31T23:00:00Z', '2026-01-20T24:00:00Z', '2026-01-20T05:00:00+14:00'],
    timestamps: [...MOMENTS, ...NO_MOMENTS.filter((text) => !/^\d+$/.test(text)), '', 'soon'],
    isAtEdges: true,
  };
}
