import { basename, matchesGlob } from 'node:path';

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

const SLOW_TESTS: readonly string[] = [
  '**/analytics-{process-end,crash,no-loss}*',
  '**/hook-16-delete*',
  '**/hook-10-{enumeration,round}*',
];

/** Of some files, those that are nearest: with them a run takes a minute or two, with all many more, for hardly a mutant more. */
export const OF_FILES: Readonly<Record<string, readonly string[]>> = {
  'client/analytics/{attempt,request}.ts': [
    'client/tests/compliance/analytics-{retry,wire}.test.ts',
    'client/tests/rules/analytics-{attempt,modes,page}.test.ts',
  ],
  'client/analytics/{calls,culprit,losses,message,prepare,serialize,timestamp,utf8,writes-itself}.ts': [
    'client/tests/rules/analytics-{batching,calls,timestamp,values}.test.ts',
  ],
  'client/analytics/{default-client,emitter,hosts,logger,reporter,settings,statistics}.ts': [
    'client/tests/rules/analytics-{batching,calls,flush,listeners,modes,options}.test.ts',
  ],
  'client/analytics/{analytics,sender}.ts': [
    'client/tests/rules/analytics-{attempt,batching,calls,disk-store,flush,listeners}.test.ts',
    'client/tests/rules/analytics-{modes,process-exit,values,waits}.test.ts',
    'client/tests/compliance/analytics-retry.test.ts',
  ],
  'client/analytics/{clock,error,fetch,gzip,message-id,page,process-exit,result}.ts': [
    'client/tests/rules/analytics-{attempt,calls,modes,page,process-exit,runtime}.test.ts',
    'client/tests/compliance/analytics-wire.test.ts',
  ],
  'client/analytics/browser/*.ts': ['client/tests/rules/analytics-{page,page-store}.test.ts'],
  'client/analytics/node/*.ts': [
    'client/tests/rules/analytics-{close-on-signal,disk-store,folder-lock,process-lock,segment}.test.ts',
    'client/tests/faults/analytics-bad-disk.test.ts',
  ],
  'client/analytics/*.ts': [
    'client/tests/{rules,compliance}/analytics-*.test.ts',
    'client/tests/faults/analytics-conservation.test.ts',
    'client/tests/architecture/analytics-names.test.ts',
  ],
  'server/delivery/{address-guard,guarded-lookup}.ts': [
    'server/tests/faults/{ssrf-guard,ssrf-forms}.test.ts',
    'server/tests/rules/failure.test.ts',
  ],
  'server/delivery/{circuit,destination-queue}.ts': [
    'server/tests/rules/destination-queue-{circuit,owner,storage,trials}.test.ts',
    'server/tests/rules/{d-25-circuit,d-26-refill,hook-24-pace,scheduler}.test.ts',
  ],
  'server/delivery/trials.ts': ['server/tests/rules/{d-25-trials,destination-queue-trials}.test.ts'],
  'server/delivery/{timers,queue-turns}.ts': ['server/tests/rules/{later,timers,queue-turns,scheduler}.test.ts'],
  'server/delivery/refill.ts': [
    'server/tests/rules/{d-26-refill,destination-queue-circuit,destination-queue-storage,destination-queue-trials}.test.ts',
  ],
  'server/delivery/dispatcher.ts': [
    'server/tests/rules/{dispatcher,dispatcher-end,dispatcher-members,membership,open-circuits}.test.ts',
  ],
  'server/delivery/courier.ts': ['server/tests/rules/courier.test.ts'],
  'server/delivery/membership.ts': ['server/tests/rules/membership*.test.ts'],
  'server/delivery/neighbors.ts': ['server/tests/rules/neighbors-*.test.ts'],
  'server/delivery/exchange.ts': ['server/tests/faults/{transport,transport-exchange}.test.ts'],
  'server/delivery/recorder.ts': ['server/tests/rules/{courier,hook-20-records,dispatcher-end}.test.ts'],
  'server/delivery/failure.ts': [
    'server/tests/rules/failure.test.ts',
    'server/tests/faults/transport-exchange.test.ts',
  ],
  'server/delivery/{strays,supply,waiting-queues}.ts': ['server/tests/rules/{strays,supply,waiting-queues}.test.ts'],
  'server/delivery/open-calls.ts': ['server/tests/rules/open-calls.test.ts'],
  'server/delivery/pace.ts': ['server/tests/rules/hook-24-pace.test.ts'],
  'server/delivery/roles.ts': ['server/tests/rules/roles.test.ts'],
  'server/delivery/scheduler.ts': ['server/tests/rules/scheduler*.test.ts'],
  'server/delivery/{secret-mask,secret-search,spellings}.ts': ['server/tests/rules/safe-3-mask.test.ts'],
  'server/delivery/signatures.ts': ['server/tests/rules/{signature-headers,hook-22-ed25519}.test.ts'],
  'server/delivery/stall-watch.ts': ['server/tests/rules/stall-watch.test.ts'],
  'server/delivery/priority-queue.ts': ['server/tests/rules/priority-queue.test.ts'],
  'server/delivery/undici-transport.ts': ['server/tests/faults/{transport,hostile-answers,tls}.test.ts'],
  'server/delivery/webhook-request.ts': ['server/tests/rules/{webhook-request,hook-12-bodies}.test.ts'],
  'server/events/accept.ts': ['server/tests/rules/{accept,aud-catch}.test.ts'],
  'server/events/pipeline.ts': ['server/tests/rules/{pipeline,plan-intake,hook-19-fan-out,hook-19-parts}.test.ts'],
  'server/losses/accepted-events.ts': ['server/tests/compliance/ingestion-{accepted,adjusted}*.test.ts'],
  'server/events/{drops,normalize-calls}.ts': [
    'server/tests/compliance/ingestion-{adjusted,drop,message,normalize,times}*.test.ts',
    'server/tests/compliance/ingestion-nesting.test.ts',
    'server/tests/rules/{ing-3,ing-4,ing-7}-*.test.ts',
    'server/tests/rules/report.test.ts',
  ],
  'server/events/report.ts': ['server/tests/rules/{report,pipeline}.test.ts'],
  'server/events/route.ts': ['server/tests/rules/{route,routing-intake,ing-5-integrations,hook-19-fan-out}.test.ts'],
  'server/events/suppress.ts': ['server/tests/rules/{suppress,regulation-suppression}.test.ts'],
  'server/events/enforce-plan.ts': ['server/tests/rules/{plan-intake,safe-2-plan-turns}.test.ts'],
  'server/events/event-limits.ts': [
    'server/tests/rules/ing-{2,3}-*.test.ts',
    'server/tests/compliance/ingestion-nesting.test.ts',
  ],
  'server/events/live-events.ts': ['server/tests/rules/live-moments.test.ts'],
  'server/events/normalize.ts': [
    'server/tests/compliance/ingestion-{normalize,context,message,drop,times}*.test.ts',
    'server/tests/rules/ing-{7,8}-*.test.ts',
  ],
  'server/events/times.ts': [
    'server/tests/rules/ing-9-instants.test.ts',
    'server/tests/compliance/ingestion-times.test.ts',
  ],
  'server/model/check-policy.ts': ['server/tests/faults/policy.test.ts'],
  'server/model/json-values.ts': ['server/tests/rules/json-values.test.ts'],
  'server/fql/{functions,glob,search,values}.ts': ['server/tests/rules/fql-{conditions,texts}.test.ts'],
  'server/fql/*.ts': ['server/tests/rules/fql-conditions.test.ts'],
  'server/filters/*.ts': ['server/tests/rules/{filter-chain,filter-sample,safe-2-undecided,shape-operations}.test.ts'],
};

export interface Tests {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** What is to notice the mutants of a file. */
export function testsOf(file: string): Tests {
  const [, own] = Object.entries(OF_FILES).find(([files]) => matchesGlob(file, files)) ?? [];
  if (own !== undefined) return { include: own, exclude: [] };
  // Tests of one file alone have its name.
  const named = `{client,server}/tests/*/${basename(file, '.ts')}*.test.ts`;
  return { include: [...NEAR_TESTS, named], exclude: SLOW_TESTS };
}
