import type { Quota } from '../../model/resources.ts';
import { Quotas } from '../../quotas/quotas.ts';
import { ApiError } from '../../http/errors.ts';
import { Memory, type MemoryStorage } from '../../storage/memory/memory.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { RecordingLog } from './ingestion-log.ts';

export const SHOP = 'workspaces/shop';

/** Noon. */
export const NOON = Date.UTC(2026, 10, 22, 12);

export interface QuotaWorld {
  readonly clock: VirtualClock;
  /** What workspaces may send; tests change it. */
  readonly quotas: Map<string, Quota>;
  /** Each verb that the storage was asked. */
  readonly asked: string[];
  readonly log: RecordingLog;
  /** Another router on the same storage, which may be spoiled. */
  readonly open: (spoil?: (own: MemoryStorage) => Partial<MemoryStorage>) => Quotas;
}

/** Routers of one storage in virtual time. */
export function quotaWorld(quota: Partial<Quota>): QuotaWorld {
  const clock = new VirtualClock(NOON);
  const memory = new Memory({ clock });
  const quotas = new Map([[SHOP, { events_per_second: 0, events_per_day: 0, ...quota }]]);
  const [asked, log]: [string[], RecordingLog] = [[], new RecordingLog()];
  let opened = 0;
  return {
    clock,
    quotas,
    asked,
    log,
    open(spoil = () => ({})) {
      const own = memory.open(`router ${(opened += 1)}`);
      const { addCounts, counts } = { ...own, ...spoil(own) };
      const storage = {
        addCounts: (...given: Parameters<typeof addCounts>) => (asked.push('addCounts'), addCounts(...given)),
        counts: (...given: Parameters<typeof counts>) => (asked.push('counts'), counts(...given)),
      };
      return new Quotas({
        storage,
        clock,
        log,
        quotaOf: (workspace) => quotas.get(workspace),
        refused: () => undefined,
      });
    },
  };
}

/** How many were let in; 0 where they were refused. */
export async function sent(router: Quotas, events = 1, workspace = SHOP): Promise<number> {
  const refusal = await refusalOf(router, events, workspace);
  return refusal === undefined ? events : 0;
}

export async function refusalOf(router: Quotas, events = 1, workspace = SHOP): Promise<ApiError | undefined> {
  try {
    await router.take(workspace, events);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
