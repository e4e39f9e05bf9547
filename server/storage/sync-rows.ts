import type { DeliveryState } from '../model/delivery.ts';
import type { Sync, SyncBasis, SyncCounts, SyncCursor, SyncState } from '../model/sync.ts';

/** A sync as databases keep it. */
export interface SyncRow {
  readonly computation: string;
  readonly number: number;
  readonly state: SyncState;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** JSON, as `progress`. */
  readonly computed: string | null;
  readonly progress: string;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
  readonly superseded: number;
  readonly held: number;
  readonly reason: string | null;
}

/** Of the tables `syncs s` and `names n`. */
export const SYNC_COLUMNS = `n.name AS computation, s.number, s.state, s.started_at AS "startedAt", s.ended_at AS "endedAt",
  s.computed, s.progress, s.sent, s.delivered, s.failed, s.expired, s.superseded, s.held, s.reason`;

export function syncOf({ endedAt, computed, progress, reason, ...row }: SyncRow): Sync {
  // Both were written by this store as JSON of these types.
  const cursor: SyncCursor = JSON.parse(progress);
  const stored: StoredComputed | undefined = computed === null ? undefined : JSON.parse(computed);
  return {
    ...row,
    cursor,
    ...(endedAt === null ? {} : { endedAt }),
    ...(stored === undefined ? {} : computedOf(stored)),
    ...(reason === null ? {} : { reason }),
  };
}

type StoredComputed = SyncCounts & { readonly basis?: SyncBasis };

function computedOf({ basis, ...computed }: StoredComputed): Pick<Sync, 'computed' | 'basis'> {
  return { computed, ...(basis === undefined ? {} : { basis }) };
}

/** A telling whose delivery has ended, by numbers. */
export interface EndedTelling {
  readonly delivery: number;
  /** Null where the delivery is gone: erased with its user. */
  readonly state: DeliveryState | null;
  readonly destination: number | null;
  readonly user: string | null;
}

/** What tellings that have ended came to, by the states of their deliveries. */
export interface SyncEnds {
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
  readonly superseded: number;
}

/** A delivery that is gone was erased with its user: what waited was not sent. Each counts once, so that a sync comes to an end. */
export function endsOf(states: readonly (DeliveryState | null)[]): SyncEnds {
  const count = (state: DeliveryState): number => states.filter((one) => one === state).length;
  return {
    delivered: count('delivered'),
    failed: count('failed'),
    expired: count('expired'),
    superseded: states.filter((one) => one === 'cancelled' || one === null).length,
  };
}
