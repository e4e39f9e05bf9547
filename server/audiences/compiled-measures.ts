import { Budget, decided, EVALUATION_STEPS } from '../evaluation/budget.ts';
import { holds, valueAt } from '../fql/evaluate.ts';
import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import type { CountableEvent } from './catch.ts';
import { takesMoreThan } from '../model/json-values.ts';
import type { Measure } from './measure.ts';
import { textsNeeded } from './narrow.ts';
import type { Scalar } from './plan.ts';

/** That a measure counts an event, with what it has where the measure looks; undefined where that is nothing it looks for. */
export interface Counted {
  readonly measure: Measure;
  readonly value: Scalar | undefined;
}

export interface Counts {
  readonly counted: readonly Counted[];
  /** Those of which it is not known whether they count it: their condition took more than it may (SAFE-2). They do not. */
  readonly undecided: readonly Measure[];
}

/** Which measures of a space count an event of a source. */
export type CountedOf = (event: CountableEvent, source: string, budget: Budget) => Counts;

/** What all conditions of a space share for one event: as many short ones as there may be in a workspace find room. */
export const EVENT_STEPS = 2 * EVALUATION_STEPS;

/** One condition takes no more of it, so that a few which take long leave room for the others. */
export const CONDITION_STEPS = EVALUATION_STEPS / 4;

/** Measures with the same condition, which is evaluated once for all of them. */
interface Group {
  readonly where: Expression;
  readonly measures: readonly Measure[];
}

/** A value whose JSON is longer is none. */
const VALUE_BYTES = 4_096;

/** A greater number is not added up: sums of such ones, or parts of them, are beyond what databases call a number. */
const GREATEST_AMOUNT = 1e100;

export function compileMeasures(measures: readonly Measure[]): CountedOf {
  const groups = [...Map.groupBy(measures, ({ where }) => where)].map(([where, of]) => ({
    where: parse(where),
    measures: of,
  }));
  const byEvent = indexBy(groups, 'event');
  const byType = indexBy(byEvent.rest, 'type');
  return (event, source, budget) => {
    const receivedAt = Date.parse(event.receivedAt);
    const [counted, undecided]: [Counted[], Measure[]] = [[], []];
    for (const mayHold of [byEvent.of(event.event), byType.of(event.type), byType.rest]) {
      for (const { where, measures: some } of mayHold) {
        const counting = some.filter((measure) => counts(measure, source, receivedAt));
        if (counting.length === 0) continue;
        const outcome = matches(where, event, budget);
        if (outcome === 'undecided') undecided.push(...counting);
        else if (outcome) for (const measure of counting) addCounted(counted, measure, event);
      }
    }
    return { counted, undecided };
  };
}

interface Index {
  readonly of: (text: string | undefined) => readonly Group[];
  /** Those that need no text of this field. */
  readonly rest: readonly Group[];
}

function indexBy(groups: readonly Group[], field: 'event' | 'type'): Index {
  const byText = new Map<string, Group[]>();
  const rest: Group[] = [];
  for (const group of groups) {
    const texts = textsNeeded(group.where, field);
    if (texts === undefined) rest.push(group);
    else for (const text of texts) byText.set(text, [...(byText.get(text) ?? []), group]);
  }
  return { of: (text) => (text === undefined ? [] : (byText.get(text) ?? [])), rest };
}

function counts({ sources, from }: Measure, source: string, receivedAt: number): boolean {
  return receivedAt >= from && (sources === undefined || sources.includes(source));
}

function matches(where: Expression, event: CountableEvent, budget: Budget): boolean | 'undecided' {
  const own = new Budget(Math.min(CONDITION_STEPS, budget.left));
  const outcome = decided(() => holds(where, event, own));
  budget.spend(own.used);
  return outcome;
}

/** Amounts count every event; of what looks at values, one without any is none. */
function addCounted(counted: Counted[], measure: Measure, event: CountableEvent): void {
  const value = measure.of === undefined ? undefined : scalarOf(valueAt(event, measure.of));
  if (measure.kind === 'amounts') counted.push({ measure, value: isAmount(value) ? value : undefined });
  else if (value !== undefined && isShort(value)) counted.push({ measure, value });
}

function isAmount(value: Scalar | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= GREATEST_AMOUNT;
}

function isShort(value: Scalar): boolean {
  // Many measures may look at the same long text.
  if (typeof value === 'string' && value.length > VALUE_BYTES) return false;
  return !takesMoreThan(VALUE_BYTES, JSON.stringify(value));
}

function scalarOf(value: unknown): Scalar | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
