import type { Comparison } from '../../audiences/plan.ts';
import { attributedSql } from './attributed-sql.ts';
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
  const columns = ['at', 'message', 'value'];
  const isOther = '(t.holder < 0 OR t.holder IN (SELECT id FROM moved))';
  const others = attributedSql('traits', columns, `t.name = ${trait} AND ${isOther}`);
  const mixed = 'SELECT profile FROM others';
  return `WITH others AS (${others})
    SELECT t.holder AS profile FROM traits t
    WHERE t.name = ${trait} AND NOT ${isOther} AND (${comparesJson('t.value', is, scope)}) AND t.holder NOT IN (${mixed})
    UNION ALL
    SELECT profile FROM (
      SELECT profile, value, row_number() OVER (PARTITION BY profile ORDER BY at DESC, message DESC) AS place FROM (
        SELECT * FROM others
        UNION ALL SELECT t.holder, t.at, t.message, t.value FROM traits t WHERE t.name = ${trait} AND t.holder IN (${mixed})
      ) a
    ) r WHERE place = 1 AND (${comparesJson('r.value', is, scope)})`;
}
