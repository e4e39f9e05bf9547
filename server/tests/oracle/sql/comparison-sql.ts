import type { Comparison, Scalar } from '../../../model/definition.ts';
import { literal, numberSql, textSql } from './fql-sql.ts';

/** A value of SQL: a number, or the text of a JSON. Null where there is none. */
export interface SqlValue {
  readonly kind: 'number' | 'json';
  readonly sql: string;
}

/** Whether a value compares as asked: true or false, never null. */
export function comparisonSql(value: SqlValue, is: Comparison): string {
  return `coalesce(${value.kind === 'number' ? ofNumber(value.sql, is) : ofJson(value.sql, is)}, false)`;
}

function ofNumber(sql: string, is: Comparison): string {
  const [[operator, other] = ['', undefined]] = Object.entries<unknown>(is);
  if (operator === 'exists') return `${sql} IS NOT NULL`;
  if (operator === 'in')
    return isAnyOf(Array.isArray(other) ? other.filter((one) => typeof one === 'number') : [], sql);
  const sign = SIGNS.get(operator);
  return sign === undefined || typeof other !== 'number' ? 'false' : `${sql} ${sign} ${other}`;
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['eq', '='],
  ['neq', '!='],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
]);

function isAnyOf(others: readonly number[], sql: string): string {
  return others.length === 0 ? 'false' : `${sql} IN (${others.join(', ')})`;
}

function ofJson(sql: string, is: Comparison): string {
  if ('exists' in is) return `${sql} != 'null'`;
  if ('eq' in is) return `${sql} = ${json(is.eq)}`;
  if ('neq' in is) return `(${kindSql(sql)} = ${kindSql(json(is.neq))} AND ${sql} != ${json(is.neq)})`;
  if ('in' in is) return `${sql} IN (${is.in.map(json).join(', ')})`;
  if ('starts_with' in is) return `starts_with(${textSql(sql)}, ${literal(is.starts_with)})`;
  if ('contains' in is) return contains(sql, is.contains);
  if ('before' in is) return `${momentSql(sql)} < ${momentSql(json(is.before))}`;
  if ('after' in is) return `${momentSql(sql)} > ${momentSql(json(is.after))}`;
  return ofNumber(numberSql(sql), is);
}

function json(value: Scalar): string {
  return literal(JSON.stringify(value));
}

/** What is no number begins with another character than one. */
function kindSql(sql: string): string {
  return `CASE ${sql}[1] WHEN '"' THEN 'text' WHEN 't' THEN 'truth' WHEN 'f' THEN 'truth' WHEN '[' THEN 'list'
    WHEN '{' THEN 'object' WHEN 'n' THEN 'nothing' ELSE 'number' END`;
}

function contains(sql: string, part: Scalar): string {
  const inList = `CASE WHEN ${sql}[1] = '[' THEN list_contains(CAST(json_extract(${sql}, '$[*]') AS VARCHAR[]), ${json(part)}) END`;
  const inText = typeof part === 'string' ? `contains(${textSql(sql)}, ${literal(part)})` : 'false';
  return `(coalesce(${inList}, false) OR coalesce(${inText}, false))`;
}

function momentSql(sql: string): string {
  return `TRY_CAST(${textSql(sql)} AS TIMESTAMP)`;
}
