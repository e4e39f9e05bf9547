import type { Resources } from '../ports/config-store.ts';
import type { Event } from '../ports/message.ts';
import { type CompiledRule, createRuleCompiler, type RuleCompiler } from './compile.ts';
import { type Foreseen, foreseenBy } from './foreseen.ts';
import type { Group } from './omit.ts';
import { eventEntries, type EventEntry, type SingleRule } from './plan-rules.ts';
import { type CleanSchema, readSchema } from './read-schema.ts';
import { SchemaFault } from './schema-fault.ts';

type TrackingPlan = Resources['tracking-plans'];

/** One rule of a plan. What it takes to use it is done at its first event, once. */
export interface Rule {
  /** Throws a SchemaFault where the rule cannot be used. */
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
  const compile = createRuleCompiler();
  const events = Map.groupBy(
    // What could not be stored today may have been stored before: it says nothing, and the other rules hold.
    eventEntries(rules, () => {}).toSorted((a, b) => a.version - b.version),
    (entry) => entry.name,
  );
  const versions = new Map(
    Array.from(events, ([event, entries]) => [event, entries.map((entry) => versioned(entry, compile))]),
  );
  const singles: Readonly<Record<SingleRule, Rule | undefined>> = {
    global: singleRule(rules, 'global', compile),
    identify: singleRule(rules, 'identify', compile),
    group: singleRule(rules, 'group', compile),
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

function versioned({ version, schema, place }: EventEntry, compile: RuleCompiler): Versioned {
  return { version, rule: createRule(schema ?? {}, place, compile) };
}

/** An event that names no version, or none that the plan has, is held to the oldest. */
function pick(versions: readonly Versioned[] | undefined, wanted: unknown): Rule | undefined {
  return (versions?.find(({ version }) => version === wanted) ?? versions?.[0])?.rule;
}

/** Apps in the field name the version that they were built for. */
function versionIn({ context: { protocols } }: Event): unknown {
  return typeof protocols === 'object' && protocols !== null ? Reflect.get(protocols, 'event_version') : undefined;
}

function singleRule(
  rules: Readonly<Record<string, unknown>>,
  name: SingleRule,
  compile: RuleCompiler,
): Rule | undefined {
  const schema = rules[name];
  const isEmpty = typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
  return schema === undefined || schema === null || isEmpty ? undefined : createRule(schema, `rules.${name}`, compile);
}

function createRule(raw: unknown, place: string, compile: RuleCompiler): Rule {
  let made: UsableRule | SchemaFault | undefined;
  return {
    use: () => {
      made ??= usable(raw, place, compile);
      if (made instanceof SchemaFault) throw made;
      return made;
    },
  };
}

function usable(raw: unknown, place: string, compile: RuleCompiler): UsableRule | SchemaFault {
  try {
    const read = readSchema(raw, place);
    const compiled = compile(read);
    const [properties, traits] = [foreseenIn(read.schema, 'properties'), foreseenIn(read.schema, 'traits')];
    return { ...compiled, foreseen: (group) => (group === 'traits' ? traits : properties) };
  } catch (error) {
    return error instanceof SchemaFault ? error : new SchemaFault(place, `cannot be compiled: ${String(error)}`);
  }
}

function foreseenIn(schema: CleanSchema, group: Group): Foreseen {
  return foreseenBy([schema]).fields?.names.get(group) ?? {};
}
