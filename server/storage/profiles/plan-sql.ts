import { compares } from '../../audiences/compare.ts';
import type { Measured, Plan } from '../../audiences/plan.ts';
import { comparesJson, comparesNumber } from './comparison-sql.ts';
import { isMoved } from './attributed-sql.ts';
import { isJson, jsonSql, type MeasuredScope, measuredSql } from './measured-sql.ts';
import { type TraitScope, traitSql } from './trait-sql.ts';

export interface PlanScope extends MeasuredScope, TraitScope {
  /** The number of the space. */
  readonly space: number;
}

/** Rows `profile`: those of whom a plan holds. */
export function membersSql(plan: Plan, scope: PlanScope): string {
  const { sql, isComplement } = setOf(plan, scope);
  return isComplement ? except([everybody(scope)], [sql]) : sql;
}

/** Rows `profile`, `value` of those who have one, with values as JSON. */
export function valuesSql(measured: Measured, scope: PlanScope): string {
  return `SELECT profile, ${jsonSql(measured.aggregate, scope)} AS value FROM (${measuredSql(measured, scope)}) v`;
}

function everybody({ space, parameters }: PlanScope): string {
  return `SELECT id AS profile FROM users WHERE space = ${parameters.add(space)} AND NOT ${isMoved('users.id')}`;
}

/**
 * Some profiles, or all but these: what is true of nearly everybody is kept as those of whom it is not, so that all profiles of
 * a space are looked at once at most, in the end.
 */
interface Profiles {
  readonly sql: string;
  readonly isComplement: boolean;
}

function setOf(plan: Plan, scope: PlanScope): Profiles {
  switch (plan.kind) {
    case 'all':
      return allOf(plan.of.map((one) => setOf(one, scope)));
    case 'any':
      return complement(allOf(plan.of.map((one) => complement(setOf(one, scope)))));
    case 'not':
      return complement(setOf(plan.of, scope));
    case 'trait':
      return { sql: traitSql(plan.name, plan.is, scope), isComplement: false };
    case 'measured':
      return thoseMeasured(plan, scope);
  }
}

function complement({ sql, isComplement }: Profiles): Profiles {
  return { sql, isComplement: !isComplement };
}

/** Who is in all of these; of none of them, that is everybody. */
function allOf(sets: readonly Profiles[]): Profiles {
  const within = sets.filter(({ isComplement }) => !isComplement).map(({ sql }) => sql);
  const without = sets.filter(({ isComplement }) => isComplement).map(({ sql }) => sql);
  if (within.length > 0) return { sql: except(within, without), isComplement: false };
  return { sql: without.length > 0 ? combined('UNION', without) : NOBODY, isComplement: true };
}

const NOBODY = 'SELECT id AS profile FROM users WHERE 1 = 0';

function except(within: readonly string[], without: readonly string[]): string {
  const those = combined('INTERSECT', within);
  return without.length === 0 ? those : combined('EXCEPT', [those, combined('UNION', without)]);
}

function combined(operator: 'INTERSECT' | 'UNION' | 'EXCEPT', sets: readonly string[]): string {
  return sets.length === 1
    ? (sets[0] ?? NOBODY)
    : sets.map((sql) => `SELECT profile FROM (${sql}) s`).join(` ${operator} `);
}

/** Where there is nothing to count, zero may compare: then it is all but those of whom it does not. */
function thoseMeasured({ value, is }: Plan & { kind: 'measured' }, scope: PlanScope): Profiles {
  const isComplement = value.ofNone === 'zero' && compares(0, is);
  const rows = measuredSql(value, scope);
  const condition = isJson(value.aggregate) ? comparesJson('value', is, scope) : comparesNumber('value', is, scope);
  return { sql: `SELECT profile FROM (${rows}) v WHERE ${isComplement ? 'NOT' : ''} (${condition})`, isComplement };
}
