import type { Proof } from './probes.ts';

const MARKS = { proven: '●', missing: '✗', absent: '·' } as const;

/** The table of operations and statuses, as it is printed; `●` documented and proven. */
export function matrixText(proofs: readonly Proof[]): string {
  const statuses = [...new Set(proofs.flatMap(({ documented, proven }) => [...documented, ...proven]))].toSorted(
    (a, b) => a - b,
  );
  const width = Math.max(...proofs.map(({ operation }) => operation.length));
  const rows = proofs.map((proof) => {
    const cells = statuses.map((status) => ` ${markOf(proof, status)}  `);
    return `  ${proof.operation.padEnd(width)} ${cells.join('')}`.trimEnd();
  });
  const pairs = proofs.flatMap(({ documented }) => documented).length;
  const proven = proofs.flatMap((proof) => proof.documented.filter((status) => proof.proven.has(status))).length;
  return [
    `Contract: ${proofs.length} operations, ${pairs} documented answers, ${proven} proven`,
    `  ${''.padEnd(width)} ${statuses.map((status) => `${status} `).join('')}`.trimEnd(),
    ...rows,
    `  ${MARKS.proven} documented and proven  ${MARKS.missing} documented, not proven  ${MARKS.absent} neither`,
  ].join('\n');
}

/** Everything that keeps the matrix from being whole; empty when each documented pair is proven, and no other is seen. */
export function matrixFaults(proofs: readonly Proof[]): string[] {
  const surprises = proofs.flatMap(({ operation, faults }) => faults.map((fault) => `${operation}: ${fault}`));
  return [...surprises, ...holes(proofs)];
}

function holes(proofs: readonly Proof[]): string[] {
  const missing = proofs.flatMap(({ operation, documented, proven }) =>
    documented.filter((status) => !proven.has(status)).map((status) => ({ operation, status })),
  );
  return Object.entries(Object.groupBy(missing, ({ status }) => status)).map(
    ([status, rows = []]) =>
      `${status} is documented, and nothing led to it: ${rows.map(({ operation }) => operation).join(', ')}. Add what ` +
      'does to EXTRA_PROBES in server/tests/contract/extra-probes.ts, or take the status off the document',
  );
}

function markOf({ documented, proven }: Proof, status: number): string {
  if (!documented.includes(status)) return MARKS.absent;
  return proven.has(status) ? MARKS.proven : MARKS.missing;
}
