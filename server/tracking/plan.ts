import type { Resources } from '../model/resources.ts';
import type { Event } from '../model/message.ts';
import { inSlices, type Turns } from '../fairness/turns.ts';
import { type CompiledRule, compileRule } from './compile.ts';
import { type Foreseen, foreseenBy } from './foreseen.ts';
import { RULE_LIMITS } from './limits.ts';
import type { Group } from './omit.ts';
import { createPatterns } from './pattern.ts';
import { eventEntries, type EventEntry, type ReadRule, readRule, type SingleRule } from './plan-rules.ts';
import { SchemaFault } from './schema-fault.ts';

type TrackingPlan = Resources['tracking-plans'];

/** One rule of a plan. What it takes to use it is done at its first event, and again once there was no room to keep it. */
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

/** A rule that was made ready; or why it cannot be used. */
export type MadeRule = UsableRule | SchemaFault;

/** Rules of one workspace that are ready. */
export interface KeptRules {
  readonly get: (rule: Rule) => MadeRule | undefined;
  readonly put: (rule: Rule, made: MadeRule, weight: number) => void;
  /** Makes one ready when it is its turn. */
  readonly make: <Made>(work: () => Promise<Made>) => Promise<Made>;
}

export interface Plan {
  readonly name: string;
  readonly displayName: string;
  /** Whether it lists any event at all. */
  readonly listsEvents: boolean;
  /** The rule of an event, in the version that it names; undefined when the plan does not list the event. */
  readonly event: (event: Event) => Rule | undefined;
  /** Undefined when the plan says nothing of it. */
  readonly single: (rule: SingleRule) => Rule | undefined;
}

/** Pages and screens are listed in plans as events of these names. */
const NAMED_AS: Readonly<Partial<Record<Event['type'], string>>> = { page: 'Page Viewed', screen: 'Screen Viewed' };

export function createPlan({ name, display_name: displayName, rules }: TrackingPlan, kept: KeptRules): Plan {
  const events = Map.groupBy(
    // What could not be stored today may have been stored before: it says nothing, and the other rules hold.
    eventEntries(rules, () => {}).toSorted((a, b) => a.version - b.version),
    (entry) => entry.name,
  );
  const versions = new Map(
    Array.from(events, ([event, entries]) => [event, entries.map((entry) => versioned(entry, kept))]),
  );
  const singles: Readonly<Record<SingleRule, Rule | undefined>> = {
    global: singleRule(rules, 'global', kept),
    identify: singleRule(rules, 'identify', kept),
    group: singleRule(rules, 'group', kept),
  };
  return {
    name,
    displayName,
    listsEvents: versions.size > 0,
    event: (event) => pick(versions.get(NAMED_AS[event.type] ?? event.event ?? ''), versionIn(event)),
    single: (rule) => singles[rule],
  };
}

interface Versioned {
  readonly version: number;
  readonly rule: Rule;
}

function versioned({ version, schema, place }: EventEntry, kept: KeptRules): Versioned {
  return { version, rule: createRule(schema, place, kept) };
}

/** An event that names no version, or none that the plan has, is held to the oldest. */
function pick(versions: readonly Versioned[] | undefined, wanted: unknown): Rule | undefined {
  return (versions?.find(({ version }) => version === wanted) ?? versions?.[0])?.rule;
}

/** Apps in the field name the version that they were built for. */
function versionIn({ context: { protocols } }: Event): unknown {
  return typeof protocols === 'object' && protocols !== null ? Reflect.get(protocols, 'event_version') : undefined;
}

function singleRule(rules: Readonly<Record<string, unknown>>, name: SingleRule, kept: KeptRules): Rule | undefined {
  const schema = rules[name];
  const isEmpty = typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
  return schema === undefined || schema === null || isEmpty ? undefined : createRule(schema, `rules.${name}`, kept);
}

function createRule(raw: unknown, place: string, kept: KeptRules): Rule {
  let making: Promise<void> | undefined;
  const keep = ([made, weight]: Weighed): MadeRule => {
    kept.put(rule, made, weight);
    return made;
  };
  const rule: Rule = {
    prepare: (turns) => {
      if (kept.get(rule) !== undefined) return undefined;
      making ??= kept
        .make(() => inSlices(turns, makeRule(raw, place)))
        .then((weighed) => void keep(weighed))
        .finally(() => (making = undefined));
      return making;
    },
    use: () => {
      const made = kept.get(rule) ?? keep(atOnce(makeRule(raw, place)));
      if (made instanceof SchemaFault) throw made;
      return made;
    },
  };
  return rule;
}

/** With what it weighs: of each value some hundred bytes are kept, of each four instructions as many, and the rule as it is stored. */
type Weighed = readonly [made: MadeRule, weight: number];

function weightOf({ values, bytes, patternSteps }: Pick<ReadRule, 'values' | 'bytes' | 'patternSteps'>): number {
  return 1 + values + patternSteps / 4 + bytes / 100;
}

/** What compiling takes for each value of a rule. */
const COMPILE_STEPS = 200;

function* makeRule(raw: unknown, place: string): Generator<number, Weighed> {
  const patterns = createPatterns();
  try {
    const read = yield* readRule(raw, place, patterns);
    const compiled = compileRule(read.schema, patterns);
    yield COMPILE_STEPS * read.values;
    const { fields } = foreseenBy([read.schema], patterns);
    return [{ ...compiled, foreseen: (group) => fields?.names.get(group) ?? {} }, weightOf(read)];
  } catch (error) {
    if (error instanceof SchemaFault) return [error, weightOf(UNREAD)];
    throw error;
  }
}

const UNREAD = { values: 0, bytes: RULE_LIMITS.bytes, patternSteps: 0 };

function atOnce<Value>(work: Generator<number, Value>): Value {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
