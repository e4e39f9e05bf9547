/** Those that need no process of their own, nor seconds: what covers a mutant of them runs once for each mutant. */
export const NEAR_TESTS: readonly string[] = [
  'client/tests/{rules,compliance,faults}/analytics-*.test.ts',
  'client/tests/architecture/analytics-names.test.ts',
  'server/tests/rules/{routing,filter,fql,ing-,cfg-11,hook-,d-2,destination-queue,scheduler,router-stalls}*.test.ts',
  'server/tests/faults/{policy,transport,ssrf,hostile-answers}*.test.ts',
];

export const SLOW_TESTS: readonly string[] = [
  '**/analytics-{process-end,crash,no-loss}*',
  '**/hook-16-delete*',
  '**/hook-10-{enumeration,round}*',
];
