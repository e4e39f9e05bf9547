import type { SchemaSettings } from '../ports/config-store.ts';
import type { BlockReason } from '../ports/dropped-events.ts';
import type { Event } from '../ports/message.ts';
import type { Violation } from '../ports/violations.ts';
import { type Fault, faultsOf } from './fault-of-error.ts';
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
}

/**
 * Holds an event to the plan, and does what the settings of its source say. The event's own rule comes first; what it
 * lets through is then held to the rule for all events. Pure, but that a rule is compiled when it is first used.
 */
export function enforce(came: Event, plan: Plan, settings: SchemaSettings): Verdict {
  const controls = controlsOf(came.type, settings);
  const findings = createFindings(came, plan.name);
  const { rule, blocked } = ownRule(came, { plan, controls, findings });
  if (blocked !== undefined) return { event: came, blocked, violations: findings.all };
  const own = rule && useOf(rule, findings);
  const planned = own === undefined ? came : withoutUnplanned(came, own, { controls, findings });
  const first = held(planned, own, { reaction: controls.onViolation, controls, findings, name: ruleName(came) });
  if (first === undefined) return { event: came, blocked: 'schema_violation', violations: findings.all };
  const global = plan.single('global');
  const common = global && useOf(global, findings);
  const second = held(first, common, { reaction: controls.onCommonViolation, controls, findings, name: 'global' });
  if (second === undefined) return { event: came, blocked: 'common_schema_violation', violations: findings.all };
  return { event: second, violations: findings.all };
}

interface Look {
  readonly controls: Controls;
  readonly findings: Findings;
}

function ruleName({ type }: Event): string {
  return type === 'identify' || type === 'group' ? type : 'event';
}

/** The rule of this very call; a tracked event without one is not planned. */
function ownRule(
  event: Event,
  { plan, controls, findings }: Look & { readonly plan: Plan },
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
  use: () => ({ errorsOf: () => [], tellsAll: () => true, foreseen: () => ({}) }),
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

function withoutUnplanned(event: Event, rule: UsableRule, { controls, findings }: Look): Event {
  const { group, onUnplannedField } = controls;
  const isOmitted = onUnplannedField === 'omit';
  const foreseen = rule.foreseen(group);
  // A rule that lists no names finds nothing unplanned, unless the settings say that only what is listed may stay.
  const listing = foreseen.fields === undefined && isOmitted ? { ...foreseen, fields: NO_FIELDS } : foreseen;
  const paths = unplannedIn(event[group], listing);
  const kind = group === 'traits' ? 'unplanned_trait' : 'unplanned_property';
  const action = isOmitted ? 'omitted' : 'allowed';
  for (const path of paths) {
    findings.add({
      kind,
      action,
      steps: [group, ...path],
      rule: ruleName(event),
      message: 'is not in the tracking plan',
    });
  }
  return isOmitted ? omit(event, group, paths) : event;
}

const NO_FIELDS = { names: new Map(), patterns: [], isOpen: false } as const;

interface Held extends Look {
  readonly reaction: Reaction;
  /** As violations name the rule. */
  readonly name: string;
}

/** So often an event of which not all faults are told at once is looked at again. */
const MOST_LOOKS = 20;

/** The event without what violates the rule, if that is the reaction; undefined where it is blocked. */
function held(
  event: Event,
  rule: UsableRule | undefined,
  { reaction, controls, findings, name }: Held,
): Event | undefined {
  if (rule === undefined) return event;
  let left = event;
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const faults = faultsOf(rule.errorsOf(viewOf(left, controls.group)));
    const isMended = reaction === 'omit' ? omissions(left, controls.group, faults) : NONE;
    for (const fault of faults) findings.add({ ...fault, rule: name, action: actionOn(fault, reaction, isMended) });
    if (reaction === 'block' && faults.length > 0) return undefined;
    if (isMended.size === 0) return left;
    const whole = rule.tellsAll(viewOf(left, controls.group));
    left = omit(left, controls.group, [...isMended.values()]);
    if (whole) return left;
  }
  return left;
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
