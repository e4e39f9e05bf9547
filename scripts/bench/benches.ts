import type { Bench } from './bench.ts';
import { analytics } from './analytics.ts';
import { audienceRuns } from './audience-runs.ts';
import { audiences } from './audiences.ts';
import { backlog } from './backlog.ts';
import { config } from './config.ts';
import { configFloor } from './config-floor.ts';
import { consoles } from './consoles.ts';
import { cost } from './cost.ts';
import { dedup } from './dedup.ts';
import { delivery } from './delivery.ts';
import { endToEnd } from './end-to-end.ts';
import { fanOut } from './fan-out.ts';
import { idle } from './idle.ts';
import { ingest } from './ingest.ts';
import { isolation, isolationPostgres } from './isolation.ts';
import { order, orderPostgres } from './order.ts';
import { postgresStorage } from './postgres-storage.ts';
import { quota } from './quota.ts';
import { rate } from './rate.ts';
import { routers } from './routers.ts';
import { slowDisk } from './slow-disk.ts';
import { storm, stormPostgres } from './storm.ts';
import { telemetry } from './telemetry.ts';
import { trackingPlan } from './tracking-plan.ts';
import { waiting, waitingPostgres } from './waiting.ts';

/** All benches, in the order in which they run. */
export const BENCHES: readonly Bench[] = [
  delivery,
  ingest,
  cost,
  endToEnd,
  backlog,
  fanOut,
  audiences,
  audienceRuns,
  order,
  orderPostgres,
  rate,
  telemetry,
  quota,
  idle,
  consoles,
  isolation,
  isolationPostgres,
  waiting,
  waitingPostgres,
  storm,
  stormPostgres,
  slowDisk,
  dedup,
  postgresStorage,
  routers,
  config,
  configFloor,
  trackingPlan,
  analytics,
];
