import type { Resources } from '../model/resources.ts';
import type { Event } from '../model/message.ts';
import { inSlices, type Turns } from '../fairness/turns.ts';
import { type CompiledRule, compileRule } from './compile.ts';
import { type Foreseen, foreseenBy } from './foreseen.ts';
import type { Group } from './omit.ts';
import { createPatterns, type Patterns } from './pattern.ts';
import { eventEntries, type EventEntry, readRule, type SingleRule } from './plan-rules.ts';
import { SchemaFault } from './schema-fault.ts';

type TrackingPlan = Resources['tracking-plans'];

/** One rule of a plan. What it takes to use it is done at its first event, once. */
export interface Rule {
  /** Makes it ready, as turns have room for it; undefined once it is. */
  readonly prepare: (turns: Turns) => Promise<void> | undefined;
  /** Throws a SchemaFault where the rule cannot be used. Ready or not: what was not made ready is so now, in one go. */
  readonly use: () => UsableRule;
}

export interface UsableRule extends CompiledRule {
  /** What the rule lists of the group. */
  readonly foreseen: (group: Group) => Foreseen;
}

export interface Plan {
  readonly name: string;
  readonly displayName: string;
  /** How many rules it holds. */
  readonly size: number;
  /** Whether it lists any event at all. */
  readonly listsEvents: boolean;
  /** The rule of an event, in the version that it names; undefined when the plan does not list the event. */
  readonly event: (event: Event) => Rule | undefined;
  /** Undefined when the plan says nothing of it. */
  readonly single: (rule: SingleRule) => Rule | undefined;
}

/** Pages and screens are listed in plans as events of these names. */
const NAMED_AS: Readonly<Partial<Record<Event['type'], string>>> = { page: 'Page Viewed', screen: 'Screen Viewed' };

export function createPlan({ name, display_name: displayName, rules }: TrackingPlan): Plan {
  const patterns = createPatterns();
  const events = Map.groupBy(
    // What could not be stored today may have been stored before: it says nothing, and the other rules hold.
    eventEntries(rules, () => {}).toSorted((a, b) => a.version - b.version),
    (entry) => entry.name,
  );
  const versions = new Map(
    Array.from(events, ([event, entries]) => [event, entries.map((entry) => versioned(entry, patterns))]),
  );
  const singles: Readonly<Record<SingleRule, Rule | undefined>> = {
    global: singleRule(rules, 'global', patterns),
    identify: singleRule(rules, 'identify', patterns),
    group: singleRule(rules, 'group', patterns),
  };
  return {
    name,
    displayName,
    size: 3 + versions.size,
    listsEvents: versions.size > 0,
    event: (event) => pick(versions.get(NAMED_AS[event.type] ?? event.event ?? ''), versionIn(event)),
    single: (rule) => singles[rule],
  };
}

interface Versioned {
  readonly version: number;
  readonly rule: Rule;
}

function versioned({ version, schema, place }: EventEntry, patterns: Patterns): Versioned {
  return { version, rule: createRule(schema, place, patterns) };
}

/** An event that names no version, or none that the plan has, is held to the oldest. */
function pick(versions: readonly Versioned[] | undefined, wanted: unknown): Rule | undefined {
  return (versions?.find(({ version }) => version === wanted) ?? versions?.[0])?.rule;
}

/** Apps in the field name the version that they were built for. */
function versionIn({ context: { protocols } }: Event): unknown {
  return typeof protocols === 'object' && protocols !== null ? Reflect.get(protocols, 'event_version') : undefined;
}

function singleRule(rules: Readonly<Record<string, unknown>>, name: SingleRule, patterns: Patterns): Rule | undefined {
  const schema = rules[name];
  const isEmpty = typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
  return schema === undefined || schema === null || isEmpty ? undefined : createRule(schema, `rules.${name}`, patterns);
}

function createRule(raw: unknown, place: string, patterns: Patterns): Rule {
  let made: UsableRule | SchemaFault | undefined;
  let making: Promise<void> | undefined;
  const keep = (rule: UsableRule | SchemaFault): void => void (made ??= rule);
  return {
    prepare: (turns) => {
      if (made !== undefined) return undefined;
      making ??= inSlices(turns, makeRule(raw, place, patterns)).then(keep);
      return making;
    },
    use: () => {
      if (made === undefined) keep(atOnce(makeRule(raw, place, patterns)));
      if (made === undefined || made instanceof SchemaFault) throw made;
      return made;
    },
  };
}

/** What compiling takes for each value of a rule. */
const COMPILE_STEPS = 200;

function* makeRule(raw: unknown, place: string, patterns: Patterns): Generator<number, UsableRule | SchemaFault> {
  try {
    const { schema, values } = yield* readRule(raw, place, patterns);
    const compiled = compileRule(schema, patterns);
    yield COMPILE_STEPS * values;
    const { fields } = foreseenBy([schema], patterns);
    return { ...compiled, foreseen: (group) => fields?.names.get(group) ?? {} };
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
}

function atOnce<Value>(work: Generator<number, Value>): Value {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
