import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that take longest, the longest first: most of them wait for most of their time, for leases that end and routers that
 * start. Begun last, each of them would be waited for; and those would that are small, and run what stands elsewhere.
 */
export const SLOW_TESTS: readonly string[] = [
  'scripts/faults/fault-run.test.ts',
  'scripts/faults/rate-run.test.ts',
  'scripts/crash/crash.test.ts',
  'scripts/crash/crash-postgres.test.ts',
  'scripts/faults/order-run.test.ts',
  'server/tests/rules/safe-1-routes.test.ts',
  'console/tests/accessibility.test.ts',
  'console/tests/receiver-page.test.ts',
  'console/tests/long-list.test.ts',
  'console/tests/audiences.test.ts',
  'console/tests/at-rest.test.ts',
  'console/tests/deliveries.test.ts',
  'console/tests/keyboard.test.ts',
  'console/tests/operations.test.ts',
  'testbed/tests/compliance/package-user.test.ts',
  'testbed/tests/compliance/other-languages.test.ts',
  'server/tests/faults/audience-sync-kills.test.ts',
  'testbed/tests/certify-sender/sockets.test.ts',
  'testbed/tests/schemes/commands.test.ts',
  'server/tests/postgres/run-growth.test.ts',
  'server/tests/postgres/growth.test.ts',
  'server/tests/rules/aud-6-oracle.test.ts',
  'testbed/tests/simulation/seeds.test.ts',
  'server/tests/conformance/delivery-store.test.ts',
  'server/tests/conformance/delivery-store-broken.test.ts',
  'server/tests/conformance/profiles.test.ts',
  'server/tests/contract/matrix.test.ts',
  'server/tests/contract/random-requests.test.ts',
  'server/tests/contract/random-histories.test.ts',
  'testbed/tests/flawed-senders/kill-rate.test.ts',
];

/** What is looked at of a test file. */
interface Ordered {
  readonly moduleId: string;
  readonly project: { readonly name: string };
}

/**
 * One project after the other, each with its slow files first. A worker of files that share one goes on as long as the next file in
 * the queue is of its project: between files of others it would end, and all that it has loaded with it.
 */
export function slowFirst<File extends Ordered>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => {
    const [before, after] = [one.project.name, other.project.name];
    if (before !== after) return before < after ? -1 : 1;
    return rank(one.moduleId) - rank(other.moduleId);
  });
}

/** On a fresh clone Vitest knows no durations; it begins with the largest files. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is Vitest's own, of no array
    return slowFirst(await super.sort(files));
  }
}

function rank(file: string): number {
  const at = SLOW_TESTS.findIndex((slow) => file.endsWith(slow));
  return at === -1 ? SLOW_TESTS.length : at;
}
