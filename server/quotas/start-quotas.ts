import type { Directory } from '../directory/directory.ts';
import type { Instruments } from '../operations/metrics/registry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Storage } from '../storage/storage.ts';
import { Quotas } from './quotas.ts';

export interface QuotaSurroundings {
  readonly directory: Pick<Directory, 'quota'>;
  readonly instruments: Pick<Instruments, 'refusedByQuota'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** To be stopped after all that lets events in, and before the storage. */
export function startQuotas(
  { counting, log: counted }: Pick<Storage, 'counting' | 'log'>,
  { directory, instruments, clock, log }: QuotaSurroundings,
): Quotas {
  return new Quotas({
    storage: {
      addCounts: (additions) => counting.addCounts(additions),
      counts: (query) => counted.counts(query),
    },
    quotaOf: directory.quota,
    clock,
    log,
    refused: (limit) => instruments.refusedByQuota.inc({ limit }),
  });
}
