import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest, the longest first: most of them wait for most of their time, for leases that end and routers that
 * start. Begun last, each of them would be waited for.
 */
export const SLOW_TESTS: readonly string[] = [
  'scripts/faults/fault-run.test.ts',
  'server/tests/faults/audience-sync-kills.test.ts',
  'scripts/faults/rate-run.test.ts',
  'scripts/crash/crash.test.ts',
  'scripts/crash/crash-postgres.test.ts',
  'testbed/tests/compliance/package-user.test.ts',
  'server/tests/rules/aud-6-oracle.test.ts',
  'console/tests/accessibility.test.ts',
  'testbed/tests/certify-sender/sockets.test.ts',
  'scripts/faults/order-run.test.ts',
  'testbed/tests/schemes/commands.test.ts',
  'testbed/tests/simulation/seeds.test.ts',
  'server/tests/postgres/run-growth.test.ts',
  'server/tests/rules/safe-1-routes.test.ts',
  'console/tests/receiver-page.test.ts',
  'console/tests/long-list.test.ts',
  'console/tests/audiences.test.ts',
  'console/tests/at-rest.test.ts',
  'console/tests/deliveries.test.ts',
  'console/tests/keyboard.test.ts',
  'console/tests/operations.test.ts',
];

/** On a fresh clone Vitest knows no durations; it begins with the largest files. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is Vitest's own, of no array
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one.moduleId) - rank(other.moduleId));
  }
}

function rank(file: string): number {
  const at = SLOW_TESTS.findIndex((slow) => file.endsWith(slow));
  return at === -1 ? SLOW_TESTS.length : at;
}
