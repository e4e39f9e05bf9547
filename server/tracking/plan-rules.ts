import { PLAN_EVENTS, PLAN_PATTERN_STEPS, RULE_LIMITS } from './limits.ts';
import { createPatternSizes, type Patterns } from './pattern.ts';
import { roughSizeOf } from './pattern-size.ts';
import { type ReadSchema, readSchema } from './read-schema.ts';
import { SchemaFault } from './schema-fault.ts';
import type { Fields } from './schema-parts.ts';

/** The groups of a plan that are one JSON Schema each. */
export const SINGLE_RULES = ['global', 'identify', 'group'] as const;
export type SingleRule = (typeof SINGLE_RULES)[number];

/** What a plan says of one version of one event. */
export interface EventEntry {
  readonly name: string;
  readonly version: number;
  /** As it is stored. */
  readonly schema: unknown;
  /** Where the schema stands in the plan. */
  readonly place: string;
}

/** The events of a plan; one that cannot be read is given to `onFault`, and left out. */
export function eventEntries(rules: Fields, onFault: (fault: SchemaFault) => void): EventEntry[] {
  const events = rules['events'] ?? [];
  if (!Array.isArray(events)) onFault(new SchemaFault('rules.events', 'must be array'));
  return (Array.isArray(events) ? events : []).flatMap((event: unknown, index) => {
    const place = `rules.events[${index}]`;
    const [name, version, schema] = ['name', 'version', 'rules'].map((key) => fieldOf(event, key));
    if (typeof name !== 'string' || name === '')
      onFault(new SchemaFault(`${place}.name`, 'must be the name of an event'));
    else if (versionOf(version) === undefined) onFault(new SchemaFault(`${place}.version`, 'must be a whole number'));
    else return [{ name, version: versionOf(version) ?? 1, schema, place: `${place}.rules` }];
    return [];
  });
}

/** Checks the rules of a plan, in slices; throws a SchemaFault for the first one that could not be used. */
export function* checkRules(rules: Fields, groups: readonly string[]): Generator<number, void> {
  const patterns = onPlan(createPatternSizes());
  if (groups.includes('events')) yield* checkEvents(rules, patterns);
  for (const group of SINGLE_RULES) {
    if (groups.includes(group)) yield* readRule(rules[group], `rules.${group}`, patterns);
  }
}

/** Those of a whole plan, which may come to so much together. */
function onPlan(patterns: Patterns): Patterns {
  const known = new Set<string>();
  let steps = 0;
  return {
    of(text, place) {
      const pattern = patterns.of(text, place);
      if (!known.has(text)) steps += pattern.size;
      known.add(text);
      if (steps <= PLAN_PATTERN_STEPS) return pattern;
      throw new SchemaFault(place, `is one regular expression too many for a plan: ${manySteps(PLAN_PATTERN_STEPS)}`);
    },
  };
}

function manySteps(most: number): string {
  return `together they may have ${most.toLocaleString('en-US')} steps`;
}

function* checkEvents(rules: Fields, patterns: Patterns): Generator<number, void> {
  const entries = eventEntries(rules, (fault) => {
    throw fault;
  });
  if (entries.length > PLAN_EVENTS) throw new SchemaFault('rules.events', `holds more than ${PLAN_EVENTS} events`);
  const places = new Map<string, string>();
  for (const { name, version, schema, place } of entries) {
    const key = `${version} ${name}`;
    const before = places.get(key);
    if (before !== undefined) throw new SchemaFault(place, `is of the same event and version as ${before}`);
    places.set(key, place);
    yield* readRule(schema, place, patterns);
  }
}

/** What reading takes for each value of a rule, and for each part of a regular expression. */
const VALUE_STEPS = 200;
const PATTERN_STEPS = 100;

/** What was read of a rule, with the instructions that its regular expressions come to. */
export interface ReadRule extends ReadSchema {
  readonly patternSteps: number;
}

/** Reads a rule and its regular expressions, in slices. An absent rule, and an empty one, says nothing. */
export function* readRule(schema: unknown, place: string, patterns: Patterns): Generator<number, ReadRule> {
  const read = readSchema(schema ?? {}, place);
  yield VALUE_STEPS * read.values;
  const { patternSteps: most } = RULE_LIMITS;
  let patternSteps = 0;
  for (const [text, where] of read.patterns) {
    patternSteps += patterns.of(text, where).size;
    if (patternSteps > most)
      throw new SchemaFault(where, `is one regular expression too many for a rule: ${manySteps(most)}`);
    yield PATTERN_STEPS * roughSizeOf(text);
  }
  return { ...read, patternSteps };
}

/** Clients leave the version out, and some write numbers as text. */
function versionOf(version: unknown): number | undefined {
  if (version === undefined || version === null || version === '') return 1;
  const number = typeof version === 'string' || typeof version === 'number' ? Number(version) : Number.NaN;
  return Number.isInteger(number) ? number : undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
