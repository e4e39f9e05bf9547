import { instantIn } from '../../audiences/compare.ts';
import type { Comparison, Scalar } from '../../audiences/plan.ts';
import type { Dialect, Parameters } from './dialect.ts';

export interface Comparing {
  readonly dialect: Dialect;
  readonly parameters: Parameters;
}

const NEVER = '1 = 0';

/** Whether a column of numbers compares: false, never null, where the column is not. */
export function comparesNumber(column: string, is: Comparison, comparing: Comparing): string {
  if ('exists' in is) return '1 = 1';
  if ('in' in is)
    return isAmong(
      column,
      is.in.filter((one) => typeof one === 'number'),
      comparing,
    );
  const [operator, other] = operatorOf(is);
  return typeof other === 'number' ? `${column} ${operator} ${comparing.parameters.add(other)}` : NEVER;
}

/** The same of JSON. */
export function comparesJson(column: string, is: Comparison, comparing: Comparing): string {
  const { dialect, parameters } = comparing;
  const json = (value: Scalar): string => parameters.add(JSON.stringify(value));
  if ('exists' in is) return `${column} <> 'null'`;
  if ('eq' in is) return `${column} = ${json(is.eq)}`;
  if ('neq' in is) return `${isOfKind(column, is.neq)} AND ${column} <> ${json(is.neq)}`;
  if ('in' in is)
    return isAmong(
      column,
      is.in.map((one) => JSON.stringify(one)),
      comparing,
    );
  if ('starts_with' in is) return known(dialect.hasStart(dialect.text(column), parameters.add(is.starts_with)));
  if ('contains' in is) return contains(column, is.contains, comparing);
  if ('before' in is || 'after' in is) return inOrder(column, is, comparing);
  const [operator, other] = operatorOf(is);
  return typeof other === 'number' ? known(`${dialect.number(column)} ${operator} ${parameters.add(other)}`) : NEVER;
}

function operatorOf(is: Comparison): readonly [operator: string, other: unknown] {
  if ('eq' in is) return ['=', is.eq];
  if ('neq' in is) return ['<>', is.neq];
  if ('gt' in is) return ['>', is.gt];
  if ('gte' in is) return ['>=', is.gte];
  if ('lt' in is) return ['<', is.lt];
  return ['<=', 'lte' in is ? is.lte : undefined];
}

function isAmong(
  column: string,
  others: readonly string[] | readonly number[],
  { dialect, parameters }: Comparing,
): string {
  const kind = others.some((one) => typeof one === 'number') ? 'number' : 'text';
  return others.length === 0 ? NEVER : dialect.isAmong(column, parameters.add(JSON.stringify(others)), kind);
}

/** By the first character of its JSON. */
function isOfKind(column: string, value: Scalar): string {
  const first = `substr(${column}, 1, 1)`;
  if (typeof value === 'string') return `${first} = '"'`;
  return typeof value === 'boolean'
    ? `${column} IN ('true', 'false')`
    : `(${first} BETWEEN '0' AND '9' OR ${first} = '-')`;
}

function contains(column: string, part: Scalar, { dialect, parameters }: Comparing): string {
  const hasItem = known(dialect.hasItem(column, parameters.add(JSON.stringify(part))));
  if (typeof part !== 'string') return hasItem;
  return `(${hasItem} OR ${known(dialect.hasPart(dialect.text(column), parameters.add(part)))})`;
}

type Order = Extract<Comparison, { before: string } | { after: string }>;

function inOrder(column: string, is: Order, { dialect, parameters }: Comparing): string {
  const other = instantIn('before' in is ? is.before : is.after);
  if (other === undefined) return NEVER;
  return known(`${dialect.moment(column)} ${'before' in is ? '<' : '>'} ${parameters.add(other)}`);
}

/** The complement of what is unknown is not unknown. */
function known(condition: string): string {
  return `coalesce(${condition}, ${NEVER})`;
}
