/** Those that need no process of their own, nor seconds: what covers a mutant of them runs once for each mutant. */
export const NEAR_TESTS: readonly string[] = [
  'client/tests/{rules,compliance,faults}/analytics-*.test.ts',
  'client/tests/architecture/analytics-names.test.ts',
  'server/tests/rules/{routing,filter,fql,ing-,cfg-11,hook-,d-,node-,destination-queue,scheduler,router-stalls,shape-}*.test.ts',
  'server/tests/rules/{safe-3-mask,safe-3-names,safe-2-undecided,live-events,plan-intake,plan-enforcement}*.test.ts',
  'server/tests/compliance/ingestion-{accepted,adjusted,context,drop,message,nesting,normalize,times,tracking,wire}*.test.ts',
  'server/tests/compliance/{memo,proxies}.test.ts',
  'server/tests/faults/{policy,transport,ssrf,hostile-answers,losses-memory,shared-losses}*.test.ts',
];

export const SLOW_TESTS: readonly string[] = [
  '**/analytics-{process-end,crash,no-loss}*',
  '**/hook-16-delete*',
  '**/hook-10-{enumeration,round}*',
];
