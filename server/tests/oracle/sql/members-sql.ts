import type { Definition } from '../../../model/definition.ts';
import { comparisonSql } from './comparison-sql.ts';
import { conditionRows, type SqlRows } from './values-sql.ts';

/** Tables of what was found before, by the names of audiences and computed traits. */
export interface FoundTables {
  readonly members: (name: string) => string;
  readonly values: (name: string) => SqlRows;
}

/** Who is a member at the end of an hour: each condition beside each profile, and the definition said of both. */
export function membersSql(definition: Definition, hour: number, tables: FoundTables): string {
  const joins: string[] = [];
  const join = ({ sql }: SqlRows): string => {
    const name = `v${joins.length}`;
    joins.push(`LEFT JOIN (${sql}) ${name} ON ${name}.profile = p.profile`);
    return `${name}.value`;
  };
  const said = (one: Definition): string => {
    if ('all' in one) return `(${['true', ...one.all.map(said)].join(' AND ')})`;
    if ('any' in one) return `(${['false', ...one.any.map(said)].join(' OR ')})`;
    if ('not' in one) return `(NOT ${said(one.not)})`;
    if ('trait' in one) return comparisonSql({ kind: 'json', sql: `p.${one.trait}` }, one.is);
    if ('member_of' in one) return `(p.profile IN (SELECT profile FROM ${tables.members(one.member_of)}))`;
    if ('computed_trait' in one) {
      const rows = tables.values(one.computed_trait);
      return comparisonSql({ kind: rows.kind, sql: join(rows) }, one.is);
    }
    const { rows, isZeroOfNone, is } = conditionRows(one.events, hour);
    const value = join(rows);
    return comparisonSql({ kind: rows.kind, sql: isZeroOfNone ? `coalesce(${value}, 0)` : value }, is);
  };
  const condition = said(definition);
  return `SELECT p.profile FROM profiles p ${joins.join(' ')} WHERE ${condition}`;
}
