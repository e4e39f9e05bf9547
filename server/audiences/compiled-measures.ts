import { Budget, decided } from '../evaluation/budget.ts';
import { holds, valueAt } from '../fql/evaluate.ts';
import type { Expression } from '../fql/expression.ts';
import { parse } from '../fql/parse.ts';
import type { CountableEvent } from './catch.ts';
import type { Measure } from './measure.ts';
import { textsNeeded } from './narrow.ts';
import type { Scalar } from './plan.ts';

/** That a measure counts an event, with what it has where the measure looks; undefined where that is nothing it looks for. */
export interface Counted {
  readonly measure: Measure;
  readonly value: Scalar | undefined;
}

/** Which measures of a space count an event of a source. */
export type CountedOf = (event: CountableEvent, source: string) => readonly Counted[];

/** Measures with the same condition, which is evaluated once for all of them. */
interface Group {
  readonly where: Expression;
  readonly measures: readonly Measure[];
}

/** A value whose JSON is longer is none. */
const VALUE_BYTES = 4_096;

export function compileMeasures(measures: readonly Measure[]): CountedOf {
  const groups = [...Map.groupBy(measures, ({ where }) => where)].map(([where, of]) => ({
    where: parse(where),
    measures: of,
  }));
  const byEvent = indexBy(groups, 'event');
  const byType = indexBy(byEvent.rest, 'type');
  return (event, source) => {
    const receivedAt = Date.parse(event.receivedAt);
    const mayHold = [byEvent.of(event.event), byType.of(event.type), byType.rest];
    return mayHold.flatMap((some) =>
      some.flatMap((group) => {
        const counting = group.measures.filter((measure) => counts(measure, source, receivedAt));
        if (counting.length === 0 || !matches(group.where, event)) return [];
        return counting.flatMap((measure) => countedBy(measure, event));
      }),
    );
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

/** What takes more than the budget does not match. */
function matches(where: Expression, event: CountableEvent): boolean {
  return decided(() => holds(where, event, new Budget())) === true;
}

/** Amounts count every event; of what looks at values, one without any is none. */
function countedBy(measure: Measure, event: CountableEvent): Counted[] {
  const value = measure.of === undefined ? undefined : scalarOf(valueAt(event, measure.of));
  if (measure.kind === 'amounts') return [{ measure, value: typeof value === 'number' ? value : undefined }];
  return value === undefined || Buffer.byteLength(JSON.stringify(value)) > VALUE_BYTES ? [] : [{ measure, value }];
}

function scalarOf(value: unknown): Scalar | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
