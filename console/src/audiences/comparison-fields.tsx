import type { Fields } from '../ui/json-fields.ts';
import type { Fault } from './faults.ts';
import { ChoiceField, ValueField } from './inputs.tsx';
import { LIST, NUMBER, type Reading, SCALAR, TEXT } from './values.ts';

/** Those from `contains` on are of values of any type alone. */
const OF_NUMBERS = [
  { id: 'eq', title: 'is' },
  { id: 'neq', title: 'is not' },
  { id: 'gt', title: 'is more than' },
  { id: 'gte', title: 'is at least' },
  { id: 'lt', title: 'is less than' },
  { id: 'lte', title: 'is at most' },
  { id: 'in', title: 'is one of' },
  { id: 'exists', title: 'exists' },
] as const;

const OF_VALUES = [
  ...OF_NUMBERS,
  { id: 'contains', title: 'contains' },
  { id: 'starts_with', title: 'starts with' },
  { id: 'before', title: 'is before' },
  { id: 'after', title: 'is after' },
] as const;

type Operator = (typeof OF_VALUES)[number]['id'];

interface ComparisonProps {
  /** With the path beside it, where there is one. */
  readonly value: Fields;
  readonly isOfAnyType: boolean;
  readonly place: string;
  readonly fault: Fault | undefined;
  readonly onChange: (value: Fields) => void;
}

/** An operator, and what it compares with. */
export function ComparisonFields({ value, isOfAnyType, place, fault, onChange }: ComparisonProps) {
  const operator = operatorOf(value);
  const kept = 'of' in value ? { of: value['of'] } : {};
  const change = (id: Operator, next: unknown): void => onChange({ ...kept, [id]: next });
  return (
    <>
      <ChoiceField
        label="Compared"
        value={operator}
        choices={isOfAnyType ? OF_VALUES : OF_NUMBERS}
        place={place}
        fault={undefined}
        onChange={(id) => change(id, converted(value[operator], id))}
      />
      {operator !== 'exists' && (
        <ValueField
          label="Value"
          value={value[operator]}
          reading={readingOf(operator, isOfAnyType)}
          placeholder={placeholderOf(operator)}
          place={`${place}.${operator}`}
          fault={fault}
          onChange={(next) => change(operator, next)}
        />
      )}
    </>
  );
}

export function operatorOf(comparison: Fields): Operator {
  return OF_VALUES.find(({ id }) => id in comparison)?.id ?? 'eq';
}

/** A comparison in words: `is at least 100`. */
export function comparisonText(comparison: Fields): string {
  const operator = operatorOf(comparison);
  const { title = '' } = OF_VALUES.find(({ id }) => id === operator) ?? {};
  const value = comparison[operator];
  return operator === 'exists' ? title : `${title} ${Array.isArray(value) ? LIST.print(value) : SCALAR.print(value)}`;
}

function converted(before: unknown, operator: Operator): unknown {
  if (operator === 'exists') return true;
  const value: unknown = Array.isArray(before) ? before[0] : before;
  if (operator === 'in') return value === undefined || value === '' ? [] : [value];
  return value === true ? '' : (value ?? '');
}

function readingOf(operator: Operator, isOfAnyType: boolean): Reading {
  if (operator === 'in') return LIST;
  if (operator === 'starts_with' || operator === 'before' || operator === 'after') return TEXT;
  return isOfAnyType && !['gt', 'gte', 'lt', 'lte'].includes(operator) ? SCALAR : NUMBER;
}

function placeholderOf(operator: Operator): string {
  if (operator === 'in') return 'one, another';
  return operator === 'before' || operator === 'after' ? '2026-01-01T00:00:00Z' : '';
}
