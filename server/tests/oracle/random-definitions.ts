import type { Random } from '../../ports/random.ts';
import type {
  Comparison,
  CountedEvents,
  Definition,
  EventsCondition,
  TraitDefinition,
  Window,
} from '../../model/definition.ts';

export const WORKSPACE = 'workspaces/main';
export const SOURCES = [`${WORKSPACE}/sources/js`, `${WORKSPACE}/sources/ios`];

/** What a definition may name: those that were made before, so that there is no cycle. */
export interface Others {
  readonly audiences: readonly string[];
  readonly traits: readonly string[];
  /** The beginning of the world. */
  readonly start: number;
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

const CONDITIONS = [
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
];

const PATHS = ['properties.total', 'properties.item', 'event'];

export function randomDefinition(random: Random, others: Others, depth = 3): Definition {
  const roll = random();
  if (depth > 1 && roll < 0.4) {
    const inner = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      randomDefinition(random, others, depth - 1),
    );
    return roll < 0.2 ? { all: inner } : { any: inner };
  }
  if (depth > 1 && roll < 0.5) return { not: randomDefinition(random, others, depth - 1) };
  if (roll < 0.6) return { trait: pick(random, ['plan', 'score', 'tags', 'since']), is: ofTrait(random) };
  if (roll < 0.66 && others.audiences.length > 0) return { member_of: pick(random, others.audiences) };
  if (roll < 0.74 && others.traits.length > 0) {
    return { computed_trait: pick(random, others.traits), is: random() < 0.5 ? ofNumber(random) : ofTrait(random) };
  }
  return { events: randomEvents(random, others) };
}

function randomEvents(random: Random, others: Others): EventsCondition {
  const counted = randomCounted(random, others);
  const of = pick(random, PATHS);
  switch (Math.floor(random() * 14)) {
    case 0:
      return { ...counted, count: ofNumber(random) };
    case 1:
      return { ...counted, days: ofNumber(random) };
    case 2:
      return { ...counted, sum: { of, ...ofNumber(random) } };
    case 3:
      return { ...counted, avg: { of, ...ofNumber(random) } };
    case 4:
      return { ...counted, min: { of, ...ofNumber(random) } };
    case 5:
      return { ...counted, max: { of, ...ofNumber(random) } };
    case 6:
      return { ...counted, first: { of, ...ofTrait(random) } };
    case 7:
      return { ...counted, last: { of, ...ofTrait(random) } };
    case 8:
      return { ...counted, distinct: { of, ...ofNumber(random) } };
    default:
      return random() < 0.5 ? counted : { ...counted, count: { lte: pick(random, [1, 2, 3]) } };
  }
}

function randomCounted(random: Random, { start }: Others): CountedEvents {
  const window = randomWindow(random, start);
  const sources = random() < 0.2 ? { sources: [pick(random, SOURCES)] } : {};
  return { where: pick(random, CONDITIONS), ...(window === undefined ? {} : { window }), ...sources };
}

function randomWindow(random: Random, start: number): Window | undefined {
  const roll = random();
  if (roll < 0.25) return undefined;
  if (roll < 0.65) return { within: pick(random, ['1h', '3h', '24h', '2d', '7d', '30d']) };
  if (roll < 0.85)
    return {
      between: pick(random, [
        ['1h', '5h'],
        ['12h', '3d'],
        ['1d', '7d'],
      ] as [string, string][]),
    };
  return { since: new Date(start + 3_600_000 * Math.floor(random() * 200)).toISOString() };
}

export function randomTrait(random: Random, others: Others): TraitDefinition {
  const counted = randomCounted(random, others);
  const events = { ...counted, of: pick(random, PATHS) };
  const kinds: readonly TraitDefinition[] = [
    { counter: counted },
    { sum: events },
    { average: events },
    { minimum: events },
    { maximum: events },
    { first: events },
    { last: events },
    { most_frequent: events },
    { unique_list: events },
    { unique_list_count: events },
  ];
  return pick(random, kinds);
}

function ofNumber(random: Random): Comparison {
  const number = pick(random, [0, 1, 2, 3, 7.5, 20]);
  const all: Comparison[] = [
    { eq: number },
    { neq: number },
    { gt: number },
    { gte: number },
    { lt: number },
    { lte: number },
    { in: [number, 2] },
    { exists: true },
  ];
  return pick(random, all);
}

function ofTrait(random: Random): Comparison {
  const all: Comparison[] = [
    ofNumber(random),
    { eq: pick(random, ['pro', 'free', 'pen']) },
    { neq: 'pro' },
    { eq: true },
    { in: ['pro', 3, 'Bought'] },
    { contains: pick(random, ['p', 'pen', 'a"b']) },
    { contains: 3 },
    { starts_with: pick(random, ['p', 'Bo']) },
    { exists: true },
    { before: '2026-02-01T00:00:00Z' },
    { after: '2026-01-15' },
  ];
  return pick(random, all);
}
