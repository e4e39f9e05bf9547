import { DEFAULT_POLICY } from '../../model/policy.ts';
import { slugOf } from '../../model/resource-names.ts';
import type { Resources } from '../../model/resources.ts';
import type { Moment } from '../../ports/clock.ts';
import type { Author } from '../config-store.ts';
import { KEPT_DAYS } from '../losses.ts';

type RemovedWorkspace = Resources['removed-workspaces'];

/** So many names are kept, the latest. */
export const MOST_REMOVED = 10_000;

const DAY = 86_400_000;
/** What waits for a webhook that is gone ends by then: with its window, or with a probe. */
const WAITS_MS = DEFAULT_POLICY.windowMs + DEFAULT_POLICY.maxWaitMs;
/** Deliveries of a day go when the day does, and that may be a day late (`postgres/jobs/purge.ts`). */
const PURGED_LATE_MS = 2 * DAY;

export function removedName(workspace: string): string {
  return `removed-workspaces/${slugOf(workspace)}`;
}

/** The row that keeps the name of a workspace that is removed, at the root. */
export function removedWorkspace(workspace: string, author: Author | undefined): RemovedWorkspace {
  return { name: removedName(workspace), create_time: author?.create_time ?? '' };
}

/** What the time of a name is measured by. */
export interface Keeping {
  readonly retentionMs: number;
  /** When this router began, by either clock: where none ran for days, what waited ends after that. */
  readonly startedAt: number;
}

/** When all is gone that was stored under the name; NaN where it is not known when it was removed. */
export function freeAt({ create_time }: RemovedWorkspace, { retentionMs, startedAt }: Keeping): number {
  const kept = Date.parse(create_time) + Math.max(retentionMs, KEPT_DAYS * DAY) + PURGED_LATE_MS;
  return Math.max(kept, startedAt) + WAITS_MS;
}

/** By whichever of the clocks reads less, as deliveries are purged. */
export function isNameFree(removed: RemovedWorkspace, { wall, steady }: Moment, keeping: Keeping): boolean {
  return Math.min(wall, steady) >= freeAt(removed, keeping);
}
