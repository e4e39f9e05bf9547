import { markdownTable, type Origin, originLine, readResult } from './result.ts';

/** What one oracle found, one way. */
export interface SchemeRow {
  readonly oracle: string;
  /** Where signatures are verified that were made on the other side: by the oracle, or by the kit. */
  readonly way: 'there' | 'here';
  readonly passed: boolean;
}

export interface SchemesResult extends Origin {
  readonly bodies: number;
  readonly rows: readonly SchemeRow[];
}

export function schemesPage(): string {
  const result = readResult('schemes');
  const oracles = [...new Set(result.rows.map(({ oracle }) => oracle))];
  const found = (of: string, on: SchemeRow['way']) =>
    result.rows.every(({ oracle, way, passed }) => oracle !== of || way !== on || passed) ? 'all' : 'not all';
  const rows = oracles.map((oracle) => [oracle, found(oracle, 'there'), found(oracle, 'here')]);
  return `# Signature schemes

Random bodies and secrets, signed by the testbed and verified by the sender's own package, and the other way round; another secret or body must be refused ([the schemes](../testbed.md#other-senders-webhooks)).

${originLine(result)}

${result.bodies.toLocaleString('en')} bodies each way:

${markdownTable(['scheme, and who verifies', 'of the testbed, valid there', 'of theirs, valid in the testbed'], rows)}
`;
}
