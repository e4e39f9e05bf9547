import type { Comparison } from '../../audiences/plan.ts';
import { attributedSql, isMoved } from './attributed-sql.ts';
import { type Comparing, comparesJson } from './comparison-sql.ts';

export interface TraitScope extends Comparing {
  /** The number of a name; 0 for one that nobody has. */
  readonly traitOf: (name: string) => number;
}

/**
 * Profiles whose trait compares. Most have it from one id alone, whose row decides; of those that have it from several,
 * anonymous ones among them, the latest decides.
 */
export function traitSql(name: string, is: Comparison, scope: TraitScope): string {
  const trait = scope.parameters.add(scope.traitOf(name));
  const columns = ['at', 'value'];
  const isOther = `(t.holder < 0 OR ${isMoved('t.holder')})`;
  const others = attributedSql('traits', columns, `t.name = ${trait} AND ${isOther}`);
  // Looked up by the index, one after the other: a join with what has none may be a loop over all of it.
  const laterOwn = `SELECT t.value FROM traits t WHERE t.name = ${trait} AND t.holder = o.profile
    AND (t.at, t.value) > (o.at, o.value)`;
  return `WITH others AS (${others})
    SELECT t.holder AS profile FROM traits t
    WHERE t.name = ${trait} AND NOT ${isOther} AND (${comparesJson('t.value', is, scope)}) AND t.holder NOT IN (SELECT profile FROM others)
    UNION ALL
    SELECT profile FROM (
      SELECT profile, coalesce((${laterOwn}), value) AS value FROM (
        SELECT others.*, row_number() OVER (PARTITION BY profile ORDER BY at DESC, value DESC) AS place FROM others
      ) o WHERE place = 1
    ) r WHERE ${comparesJson('r.value', is, scope)}`;
}
