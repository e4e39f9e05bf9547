import { instantOf } from '../events/times.ts';
import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import { FqlFault } from '../fql/syntax-fault.ts';
import {
  type CountedEvents,
  type Definition,
  DEFINITION_LIMITS,
  type EventsCondition,
  type TraitDefinition,
  type Window,
} from '../model/definition.ts';
import { isObject } from '../model/json-values.ts';
import { readComparison } from './comparisons.ts';
import { DefinitionFault, seen, seenFields } from './definition-fault.ts';
import { HOUR_MS } from './hours.ts';
import { hoursIn } from './windows.ts';
import { isTraitKind, type TraitKind } from './measures.ts';

/** Something else of the workspace that a definition names. */
export interface NamedElsewhere {
  readonly place: string;
  readonly kind: 'audiences' | 'computed-traits' | 'sources';
  readonly name: string;
}

export interface ReadDefinition<D> {
  readonly definition: D;
  readonly names: readonly NamedElsewhere[];
}

/** All of it as JSON, in bytes. */
const LARGEST = 65_536;
const LONGEST_TRAIT = 200;

/**
 * Reads the definition of an audience of a workspace. Throws a DefinitionFault with the place of the first mistake; whether
 * what it names exists is not looked at here.
 */
export function readDefinition(value: unknown, place: string, workspace: string): ReadDefinition<Definition> {
  const reader = new Reader(value, place, workspace);
  return { definition: reader.definition(value, place, 1), names: reader.names };
}

export function readTraitDefinition(value: unknown, place: string, workspace: string): ReadDefinition<TraitDefinition> {
  const reader = new Reader(value, place, workspace);
  return { definition: reader.trait(value, place), names: reader.names };
}

/** Each form of a definition, with the fields beside the one that it is known by. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  all: [],
  any: [],
  not: [],
  trait: ['is'],
  events: [],
  member_of: [],
  computed_trait: ['is'],
};

const COUNTS = ['count', 'days'] as const;
const NUMBERS = ['sum', 'avg', 'min', 'max', 'distinct'] as const;
const VALUES = ['first', 'last'] as const;
const COUNTED = ['where', 'window', 'sources'] as const;

type OfValues = CountedEvents & { readonly of: string };

/** Each kind of computed trait that is made of values, by its key. */
const OF_VALUES: Readonly<Record<Exclude<TraitKind, 'counter'>, (events: OfValues) => TraitDefinition>> = {
  sum: (sum) => ({ sum }),
  average: (average) => ({ average }),
  minimum: (minimum) => ({ minimum }),
  maximum: (maximum) => ({ maximum }),
  first: (first) => ({ first }),
  last: (last) => ({ last }),
  most_frequent: (most_frequent) => ({ most_frequent }),
  unique_list: (unique_list) => ({ unique_list }),
  unique_list_count: (unique_list_count) => ({ unique_list_count }),
};

const TRAIT_KINDS = ['counter', ...Object.keys(OF_VALUES)].join(', ');

type Fields = Readonly<Record<string, unknown>>;

class Reader {
  readonly #workspace: string;
  readonly names: NamedElsewhere[] = [];
  #conditions = 0;

  constructor(value: unknown, place: string, workspace: string) {
    this.#workspace = workspace;
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
    if (bytes > LARGEST) throw new DefinitionFault(place, `has ${bytes} bytes of at most ${LARGEST}`);
  }

  definition(value: unknown, place: string, depth: number): Definition {
    if (depth > DEFINITION_LIMITS.depth) {
      throw new DefinitionFault(place, `is nested deeper than ${DEFINITION_LIMITS.depth} levels`);
    }
    const found = object(value, place);
    const form = onlyOf(found, Object.keys(FORMS), place);
    refuseOthers(found, [form, ...(FORMS[form] ?? [])], place);
    const inner = found[form];
    const at = `${place}.${form}`;
    if (form === 'all') return { all: this.#several(inner, at, depth) };
    if (form === 'any') return { any: this.#several(inner, at, depth) };
    if (form === 'not') return { not: this.definition(inner, at, depth + 1) };
    this.#count(place);
    if (form === 'events') return { events: this.#events(inner, at) };
    if (form === 'member_of') return { member_of: this.#named(inner, at, 'audiences') };
    const is = readComparison(found['is'], `${place}.is`, 'value');
    if (form === 'trait') return { trait: traitName(inner, at), is };
    return { computed_trait: this.#named(inner, at, 'computed-traits'), is };
  }

  trait(value: unknown, place: string): TraitDefinition {
    const found = object(value, place);
    const [kind = '', ...more] = Object.keys(found);
    if (!isTraitKind(kind) || more.length > 0) {
      throw new DefinitionFault(
        place,
        `must have exactly one of ${TRAIT_KINDS}, got ${seenFields(Object.keys(found))}`,
      );
    }
    const at = `${place}.${kind}`;
    const fields = object(found[kind], at);
    refuseOthers(fields, kind === 'counter' ? COUNTED : [...COUNTED, 'of'], at);
    const counted = this.#counted(fields, at);
    if (kind === 'counter') return { counter: counted };
    return OF_VALUES[kind]({ ...counted, of: path(fields['of'], `${at}.of`) });
  }

  #several(value: unknown, place: string, depth: number): Definition[] {
    if (!Array.isArray(value) || value.length === 0) {
      throw new DefinitionFault(place, `must be a list of at least one condition, got ${seen(value)}`);
    }
    return value.map((item: unknown, index) => this.definition(item, `${place}[${index}]`, depth + 1));
  }

  #count(place: string): void {
    this.#conditions += 1;
    const { conditions } = DEFINITION_LIMITS;
    if (this.#conditions > conditions)
      throw new DefinitionFault(place, `is one more than the ${conditions} conditions that are allowed`);
  }

  #events(value: unknown, place: string): EventsCondition {
    const fields = object(value, place);
    const measures = [...COUNTS, ...NUMBERS, ...VALUES];
    refuseOthers(fields, [...COUNTED, ...measures], place);
    const given = measures.filter((measure) => fields[measure] !== undefined);
    const [measure] = given;
    if (given.length > 1)
      throw new DefinitionFault(place, `has ${given.join(' and ')}: use one, and "all" of several conditions`);
    const counted = this.#counted(fields, place);
    if (measure === undefined) return counted;
    const at = `${place}.${measure}`;
    const { of, ...comparison } = object(fields[measure], at);
    const isCount = COUNTS.some((one) => one === measure);
    const is = readComparison(
      isCount ? fields[measure] : comparison,
      at,
      VALUES.some((one) => one === measure) ? 'value' : 'number',
    );
    return { ...counted, [measure]: isCount ? is : { of: path(of, `${at}.of`), ...is } };
  }

  #counted(fields: Fields, place: string): CountedEvents {
    const { where, window, sources } = fields;
    return {
      where: condition(where, `${place}.where`),
      ...(window === undefined ? {} : { window: readWindow(window, `${place}.window`) }),
      ...(sources === undefined ? {} : { sources: this.#sources(sources, `${place}.sources`) }),
    };
  }

  #sources(value: unknown, place: string): string[] {
    if (!Array.isArray(value) || value.length === 0 || value.length > 100) {
      throw new DefinitionFault(place, 'must be a list of 1 to 100 names of sources');
    }
    return value.map((item: unknown, index) => this.#named(item, `${place}[${index}]`, 'sources'));
  }

  #named(value: unknown, place: string, kind: NamedElsewhere['kind']): string {
    const within = `${this.#workspace}/${kind}/`;
    const isName = typeof value === 'string' && value.startsWith(within) && !value.slice(within.length).includes('/');
    if (!isName) throw new DefinitionFault(place, `must be a full name that begins with ${within}, got ${seen(value)}`);
    this.names.push({ place, kind, name: value });
    return value;
  }
}

function object(value: unknown, place: string): Fields {
  if (isObject(value)) return value;
  throw new DefinitionFault(place, `must be an object, got ${seen(value)}`);
}

function onlyOf(found: Fields, choices: readonly string[], place: string): string {
  const [one, ...more] = choices.filter((choice) => found[choice] !== undefined);
  if (one !== undefined && more.length === 0) return one;
  const given = one === undefined ? Object.keys(found) : [one, ...more];
  throw new DefinitionFault(place, `must have exactly one of ${choices.join(', ')}, got ${seenFields(given)}`);
}

/** A field that is misspelled would change what is meant, so unknown ones are refused. */
function refuseOthers(found: Fields, known: readonly string[], place: string): void {
  const other = Object.keys(found).find((field) => !known.includes(field));
  if (other === undefined) return;
  throw new DefinitionFault(`${place}.${other.slice(0, 80)}`, `is unknown here: there are ${known.join(', ')}`);
}

function traitName(value: unknown, place: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_TRAIT) return value;
  throw new DefinitionFault(
    place,
    `must be the name of a trait of at most ${LONGEST_TRAIT} characters, got ${seen(value)}`,
  );
}

function condition(value: unknown, place: string): string {
  const { kind } = expression(value, place);
  if (kind === 'never' || typeof value !== 'string') {
    throw new DefinitionFault(place, 'is empty, and holds for no event; "all" holds for each');
  }
  return value;
}

function path(value: unknown, place: string): string {
  const { kind } = expression(value, place);
  if (kind !== 'path' || typeof value !== 'string') {
    throw new DefinitionFault(place, `must be the path of a field, as properties.total, got ${seen(value)}`);
  }
  return value;
}

function expression(value: unknown, place: string): Expression {
  if (typeof value !== 'string') throw new DefinitionFault(place, `must be a string, got ${seen(value)}`);
  try {
    return parse(value);
  } catch (error) {
    if (error instanceof FqlFault) throw new DefinitionFault(place, `: column ${error.column}: ${error.message}`);
    throw error;
  }
}

function readWindow(value: unknown, place: string): Window {
  const found = object(value, place);
  const form = onlyOf(found, ['within', 'between', 'since'], place);
  refuseOthers(found, [form], place);
  const inner = found[form];
  if (form === 'within') return { within: duration(inner, `${place}.within`) };
  return form === 'since'
    ? { since: wholeHour(inner, `${place}.since`) }
    : { between: between(inner, `${place}.between`) };
}

function duration(value: unknown, place: string): string {
  const hours = typeof value === 'string' ? hoursIn(value) : undefined;
  if (typeof value === 'string' && hours !== undefined && hours <= DEFINITION_LIMITS.windowDays * 24) return value;
  throw new DefinitionFault(
    place,
    `must be whole hours or days from 1h to ${DEFINITION_LIMITS.windowDays}d, as 12h or 30d, got ${seen(value)}`,
  );
}

function between(value: unknown, place: string): [string, string] {
  if (!Array.isArray(value) || value.length !== 2) {
    throw new DefinitionFault(place, `must be a list of two durations, got ${seen(value)}`);
  }
  const [nearer, farther] = [duration(value[0], `${place}[0]`), duration(value[1], `${place}[1]`)];
  if ((hoursIn(nearer) ?? 0) < (hoursIn(farther) ?? 0)) return [nearer, farther];
  throw new DefinitionFault(place, `must have the shorter duration first, got ${seen(value)}`);
}

function wholeHour(value: unknown, place: string): string {
  const at = typeof value === 'string' ? instantOf(value) : undefined;
  if (typeof value === 'string' && at !== undefined && at % HOUR_MS === 0) return value;
  throw new DefinitionFault(
    place,
    `must be a whole hour as an ISO 8601 time, as 2026-01-01T00:00:00Z, got ${seen(value)}`,
  );
}
