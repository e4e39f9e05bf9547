/** What the server says of a statement that it has carried out. */
export interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: Node }[];
}

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** Rows that all steps of a plan have looked at, however often. */
export function rowsOf(row: Explained | undefined): number {
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  return plan === undefined ? 0 : rowsIn(plan);
}

function rowsIn(node: Node): number {
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return each * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, one) => sum + rowsIn(one), 0);
}
