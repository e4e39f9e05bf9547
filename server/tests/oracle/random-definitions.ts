import type { Random } from '../../ports/random.ts';
import type { Palette } from './edges.ts';
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
  readonly palette: Palette;
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

const NUMERIC_PATHS = ['properties.total', 'properties.item', 'event'];

export function randomDefinition(random: Random, others: Others, depth = 3): Definition {
  const roll = random();
  if (depth > 1 && roll < 0.4) {
    const inner = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      randomDefinition(random, others, depth - 1),
    );
    return roll < 0.2 ? { all: inner } : { any: inner };
  }
  if (depth > 1 && roll < 0.5) return { not: randomDefinition(random, others, depth - 1) };
  if (roll < 0.6) return { trait: pick(random, traitNames(others)), is: ofTrait(random, others) };
  if (roll < 0.66 && others.audiences.length > 0) return { member_of: pick(random, others.audiences) };
  if (roll < 0.74 && others.traits.length > 0) {
    return {
      computed_trait: pick(random, others.traits),
      is: random() < 0.5 ? ofNumber(random, others) : ofTrait(random, others),
    };
  }
  return { events: randomEvents(random, others) };
}

function randomEvents(random: Random, others: Others): EventsCondition {
  const counted = randomCounted(random, others);
  const [of, any] = [pick(random, NUMERIC_PATHS), pick(random, pathsOf(others))];
  switch (Math.floor(random() * 14)) {
    case 0:
      return { ...counted, count: ofNumber(random, others) };
    case 1:
      return { ...counted, days: ofNumber(random, others) };
    case 2:
      return { ...counted, sum: { of, ...ofNumber(random, others) } };
    case 3:
      return { ...counted, avg: { of, ...ofNumber(random, others) } };
    case 4:
      return { ...counted, min: { of, ...ofNumber(random, others) } };
    case 5:
      return { ...counted, max: { of, ...ofNumber(random, others) } };
    case 6:
      return { ...counted, first: { of: any, ...ofTrait(random, others) } };
    case 7:
      return { ...counted, last: { of: any, ...ofTrait(random, others) } };
    case 8:
      return { ...counted, distinct: { of: any, ...ofNumber(random, others) } };
    default:
      return random() < 0.5 ? counted : { ...counted, count: { lte: pick(random, [1, 2, 3]) } };
  }
}

function randomCounted(random: Random, { start, palette }: Others): CountedEvents {
  const window = randomWindow(random, start, palette);
  const sources = random() < 0.2 ? { sources: [pick(random, SOURCES)] } : {};
  return { where: pick(random, palette.conditions), ...(window === undefined ? {} : { window }), ...sources };
}

function randomWindow(random: Random, start: number, { windows, sinces }: Palette): Window | undefined {
  const roll = random();
  if (roll < 0.25) return undefined;
  if (roll < 0.65) return { within: pick(random, windows) };
  if (roll < 0.85)
    return {
      between: pick(random, [
        ['1h', '5h'],
        ['12h', '3d'],
        ['1d', '7d'],
      ] as [string, string][]),
    };
  if (sinces.length > 0 && random() < 0.3) return { since: pick(random, sinces) };
  return { since: new Date(start + 3_600_000 * Math.floor(random() * 200)).toISOString() };
}

export function randomTrait(random: Random, others: Others): TraitDefinition {
  const counted = randomCounted(random, others);
  const [events, any] = [
    { ...counted, of: pick(random, NUMERIC_PATHS) },
    { ...counted, of: pick(random, pathsOf(others)) },
  ];
  const kinds: readonly TraitDefinition[] = [
    { counter: counted },
    { sum: events },
    { average: events },
    { minimum: events },
    { maximum: events },
    { first: any },
    { last: any },
    { most_frequent: any },
    { unique_list: any },
    { unique_list_count: any },
  ];
  return pick(random, kinds);
}

/** Of values that are not added up. */
function pathsOf({ palette }: Others): readonly string[] {
  return palette.codes.length === 0 ? NUMERIC_PATHS : [...NUMERIC_PATHS, 'properties.code'];
}

function traitNames({ palette }: Others): readonly string[] {
  return Object.keys(palette.traits).filter((name) => name !== '' && name.length <= 200);
}

function ofNumber(random: Random, { palette }: Others): Comparison {
  const number = pick(random, palette.numbers);
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

function ofTrait(random: Random, others: Others): Comparison {
  const { texts, moments } = others.palette;
  const all: Comparison[] = [
    ofNumber(random, others),
    { eq: pick(random, texts) },
    { neq: 'pro' },
    { eq: true },
    { in: ['pro', 3, pick(random, texts)] },
    { contains: pick(random, texts) },
    { contains: 3 },
    { starts_with: pick(random, texts) },
    { exists: true },
    { before: pick(random, moments) },
    { after: pick(random, moments) },
  ];
  return pick(random, all);
}
