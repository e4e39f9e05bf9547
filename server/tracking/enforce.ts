import { type Budget, decided } from '../evaluation/budget.ts';
import type { SchemaSettings } from '../model/resources.ts';
import type { BlockReason } from '../losses/dropped-events.ts';
import type { Event } from '../model/message.ts';
import type { Violation } from '../losses/violations.ts';
import type { Fault } from './check.ts';
import { createFindings, type Findings } from './findings.ts';
import { type Group, omit, omittable } from './omit.ts';
import type { Plan, Rule, UsableRule } from './plan.ts';
import { type Controls, controlsOf, type Reaction } from './schema-settings.ts';
import { SchemaFault } from './schema-fault.ts';
import { unplannedIn } from './unplanned.ts';

/** What becomes of one event by its plan. */
export interface Verdict {
  /** As it goes on: the very same event where nothing is left out of it. As it came, where it is blocked. */
  readonly event: Event;
  readonly blocked?: BlockReason;
  readonly violations: readonly Violation[];
  /** Set when the budget was used up: what was not decided by then counts as violated. */
  readonly isUndecided: boolean;
}

/**
 * Holds an event to the plan, and does what the settings of its source say. The event's own rule comes first; what it
 * lets through is then held to the rule for all events. Pure, but that a rule is compiled when it is first used.
 */
export function enforce(came: Event, plan: Plan, settings: SchemaSettings, budget: Budget): Verdict {
  const controls = controlsOf(came.type, settings);
  const look: Look = { controls, findings: createFindings(came, plan.name), budget, undecided: { is: false } };
  const [result, blocked] = judge(came, plan, look);
  const verdict = { event: result, violations: look.findings.all, isUndecided: look.undecided.is };
  return blocked === undefined ? verdict : { ...verdict, blocked };
}

function judge(came: Event, plan: Plan, look: Look): [event: Event, blocked?: BlockReason] {
  const { controls, findings } = look;
  const { rule, blocked } = ownRule(came, { plan, controls, findings });
  if (blocked !== undefined) return [came, blocked];
  const own = rule && useOf(rule, findings);
  const planned = own === undefined ? came : withoutUnplanned(came, own, look);
  const first = held(planned, own, { ...look, reaction: controls.onViolation, name: ruleName(came) });
  if (first === undefined) return [came, 'schema_violation'];
  const global = plan.single('global');
  const common = global && useOf(global, findings);
  const second = held(first, common, { ...look, reaction: controls.onCommonViolation, name: 'global' });
  return second === undefined ? [came, 'common_schema_violation'] : [second];
}

/** The rules that an event is held to, as far as the plan has them. */
export function rulesFor(event: Event, plan: Plan): Rule[] {
  const own = event.type === 'identify' || event.type === 'group' ? plan.single(event.type) : plan.event(event);
  return [own, plan.single('global')].filter((rule) => rule !== undefined);
}

interface Look {
  readonly controls: Controls;
  readonly findings: Findings;
  readonly budget: Budget;
  readonly undecided: { is: boolean };
}

function ruleName({ type }: Event): string {
  return type === 'identify' || type === 'group' ? type : 'event';
}

/** The rule of this very call; a tracked event without one is not planned. */
function ownRule(
  event: Event,
  { plan, controls, findings }: Pick<Look, 'controls' | 'findings'> & { readonly plan: Plan },
): { readonly rule?: Rule | undefined; readonly blocked?: BlockReason } {
  if (event.type === 'identify' || event.type === 'group') return { rule: plan.single(event.type) ?? NOTHING };
  const rule = plan.event(event);
  if (rule !== undefined || event.type !== 'track') return { rule };
  const isBlocked = controls.onUnplannedEvent === 'block';
  // A plan without events is no list of them, unless the settings ask for one.
  if (!isBlocked && !plan.listsEvents) return {};
  const action = isBlocked ? 'blocked' : 'allowed';
  findings.add({ kind: 'unplanned_event', action, field: 'event', message: 'is not in the tracking plan' });
  return isBlocked ? { blocked: 'unplanned' } : {};
}

/** The rule of a plan that says nothing. */
const NOTHING: Rule = {
  prepare: () => undefined,
  use: () => ({ faultsOf: () => [], foreseen: () => ({}) }),
};

/** A rule that cannot be used costs no event: it is told, and the event passes it. */
function useOf(rule: Rule, findings: Findings): UsableRule | undefined {
  try {
    return rule.use();
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    findings.add({ kind: 'plan_unusable', action: 'allowed', message: error.message });
    return undefined;
  }
}

function withoutUnplanned(event: Event, rule: UsableRule, look: Look): Event {
  const { findings, budget } = look;
  const { group, onUnplannedField } = look.controls;
  const isOmitted = onUnplannedField === 'omit';
  const action = isOmitted ? 'omitted' : 'allowed';
  const foreseen = rule.foreseen(group);
  // A rule that lists no names finds nothing unplanned, unless the settings say that only what is listed may stay.
  const listing = foreseen.fields === undefined && isOmitted ? { ...foreseen, fields: NO_FIELDS } : foreseen;
  const paths = decided(() => unplannedIn(event[group], listing, budget));
  if (paths === 'undecided') return undecided(event, { ...look, reaction: onUnplannedField, name: ruleName(event) });
  const kind = group === 'traits' ? 'unplanned_trait' : 'unplanned_property';
  const what = { kind, action, rule: ruleName(event), message: 'is not in the tracking plan' } as const;
  for (const path of paths) findings.add({ ...what, steps: [group, ...path] });
  return isOmitted ? omitted(event, paths, look) : event;
}

const NO_FIELDS = { names: new Map(), patterns: [], isOpen: false } as const;

interface Held extends Look {
  readonly reaction: Reaction;
  /** As violations name the rule. */
  readonly name: string;
}

/** The event without what violates the rule, if that is the reaction; undefined where it is blocked. */
function held(event: Event, rule: UsableRule | undefined, how: Held): Event | undefined {
  if (rule === undefined) return event;
  const { reaction, controls, findings, budget, name } = how;
  const faults = decided(() => rule.faultsOf(viewOf(event, controls.group), budget));
  if (faults === 'undecided') {
    const left = undecided(event, how);
    return reaction === 'block' ? undefined : left;
  }
  const mended = reaction === 'omit' ? omissions(event, controls.group, faults) : NONE;
  for (const fault of faults) findings.add({ ...fault, rule: name, action: actionOn(fault, reaction, mended) });
  if (reaction === 'block' && faults.length > 0) return undefined;
  return omitted(event, [...mended.values()], how);
}

/** What cannot be decided within the budget counts as violated: and where fields are left out, all of them are. */
function undecided(event: Event, { reaction, controls: { group }, findings, undecided: flag, name }: Held): Event {
  flag.is = true;
  const action = reaction === 'block' ? 'blocked' : reaction === 'omit' ? 'omitted' : 'allowed';
  const message = 'could not be checked within the evaluation budget';
  findings.add({ kind: 'rule_violated', action, rule: name, message });
  return reaction === 'omit' ? withoutAll(event, group) : event;
}

function withoutAll(event: Event, group: Group): Event {
  return event[group] === undefined ? event : { ...event, [group]: {} };
}

function omitted(event: Event, paths: readonly (readonly string[])[], look: Look): Event {
  const { group } = look.controls;
  const left = decided(() => omit(event, group, paths, look.budget));
  if (left !== 'undecided') return left;
  look.undecided.is = true;
  return withoutAll(event, group);
}

const NONE: ReadonlyMap<Fault, readonly string[]> = new Map();

/** What is left out for each fault that can be mended so. */
function omissions(event: Event, group: Group, faults: readonly Fault[]): ReadonlyMap<Fault, readonly string[]> {
  const paths = faults.map(
    (fault) => [fault, fault.isThere ? omittable(event, group, fault.steps) : undefined] as const,
  );
  return new Map(paths.flatMap(([fault, path]) => (path === undefined ? [] : [[fault, path]])));
}

function actionOn(fault: Fault, reaction: Reaction, mended: ReadonlyMap<Fault, unknown>): Violation['action'] {
  if (reaction === 'block') return 'blocked';
  return mended.has(fault) ? 'omitted' : 'allowed';
}

/** What rules look at: a call without properties has none of them, so that a rule can say which it misses. */
function viewOf(event: Event, group: Group): Event {
  return event[group] === undefined && event.type !== 'alias' ? { ...event, [group]: {} } : event;
}
