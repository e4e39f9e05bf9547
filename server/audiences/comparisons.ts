import { instantOf } from '../events/times.ts';
import type { Comparison, Scalar } from '../model/definition.ts';
import { isObject } from '../model/json-values.ts';
import { DefinitionFault, seen } from './definition-fault.ts';

/** What is compared: a value of any kind, or a number. */
export type Compared = 'value' | 'number';

const OPERATORS: Readonly<Record<Compared, readonly string[]>> = {
  value: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'starts_with', 'exists', 'before', 'after'],
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'exists'],
};

/** More than people list, and few enough for one statement. */
const LONGEST_LIST = 1_000;

/** Reads the one operator of a comparison; `found` has nothing else. */
export function readComparison(found: unknown, place: string, of: Compared): Comparison {
  const choices = OPERATORS[of].join(', ');
  if (found === undefined) throw new DefinitionFault(place, `is missing: use one of ${choices}`);
  if (!isObject(found))
    throw new DefinitionFault(place, `must be an object with one of ${choices}, got ${seen(found)}`);
  const [operator, ...more] = Object.keys(found);
  if (operator === undefined) throw new DefinitionFault(place, `is empty: use one of ${choices}`);
  if (!OPERATORS[of].includes(operator))
    throw new DefinitionFault(`${place}.${operator}`, `is unknown: use one of ${choices}`);
  if (more.length > 0) {
    throw new DefinitionFault(
      place,
      `has ${operator} and ${more.join(', ')}: use one, and "all" of several conditions`,
    );
  }
  return readOperator(operator, found[operator], `${place}.${operator}`, of);
}

function readOperator(operator: string, value: unknown, place: string, of: Compared): Comparison {
  switch (operator) {
    case 'eq':
      return { eq: scalar(value, place, of) };
    case 'neq':
      return { neq: scalar(value, place, of) };
    case 'gt':
      return { gt: number(value, place) };
    case 'gte':
      return { gte: number(value, place) };
    case 'lt':
      return { lt: number(value, place) };
    case 'lte':
      return { lte: number(value, place) };
    case 'in':
      return { in: list(value, place, of) };
    case 'contains':
      return { contains: scalar(value, place, 'value') };
    case 'starts_with':
      return { starts_with: text(value, place) };
    case 'exists':
      if (value === true) return { exists: true };
      throw new DefinitionFault(place, `must be true, got ${seen(value)}: put "not" around it for what is missing`);
    case 'before':
      return { before: moment(value, place) };
    default:
      return { after: moment(value, place) };
  }
}

function scalar(value: unknown, place: string, of: Compared): Scalar {
  if (of === 'number') return number(value, place);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return number(value, place, 'a string, a number or a boolean');
}

function number(value: unknown, place: string, what = 'a number'): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new DefinitionFault(place, `must be ${what}, got ${seen(value)}`);
}

function text(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw new DefinitionFault(place, `must be a string, got ${seen(value)}`);
}

function list(value: unknown, place: string, of: Compared): Scalar[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= LONGEST_LIST) {
    return value.map((item: unknown, index) => scalar(item, `${place}[${index}]`, of));
  }
  throw new DefinitionFault(place, `must be a list of 1 to ${LONGEST_LIST} values, got ${seen(value)}`);
}

function moment(value: unknown, place: string): string {
  if (typeof value === 'string' && instantOf(value) !== undefined) return value;
  throw new DefinitionFault(place, `must be an ISO 8601 time, got ${seen(value)}`);
}
