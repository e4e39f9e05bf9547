import { createHash } from 'node:crypto';
import { ApiError } from '../http/errors.ts';
import type { SharedState } from '../storage/shared-state.ts';

/** Remembers which assertions were used, so that none is accepted twice. */
export interface UsedAssertions {
  /** False when the source has used it before. Rejects with ResourceExhausted when the source has too many that are not expired. */
  use(source: string, assertion: Assertion, now: number): Promise<boolean>;
}

interface Assertion {
  /** What no other assertion of the source has. */
  readonly id: string;
  /** From then on it is refused anyway, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** An SDK asks for a token twice a day; a fleet that starts at once stays below this. */
const UNEXPIRED_PER_SOURCE = 10_000;

/** Kept by the storage, for all of its routers. */
export function createSharedUsedAssertions(shared: Pick<SharedState, 'useOnce'>): UsedAssertions {
  return {
    async use(owner, { id, expiresAt }, now) {
      const found = await shared.useOnce({ owner, id, forMs: expiresAt - now, limit: UNEXPIRED_PER_SOURCE });
      if (found === 'full') throw overloaded();
      return found === 'first';
    },
  };
}

/** Kept in memory: about 100 bytes for each assertion. */
export function createUsedAssertions(): UsedAssertions {
  const bySource = new Map<string, Map<string, number>>();
  return {
    // oxlint-disable-next-line typescript/require-await -- what it throws is a rejection
    async use(source, { id, expiresAt }, now) {
      const used = bySource.get(source) ?? new Map<string, number>();
      bySource.set(source, used);
      // As text an id may be long, and hold on to the request that it was part of.
      const digest = createHash('sha256').update(id).digest('base64url');
      if ((used.get(digest) ?? -Infinity) > now) return false;
      if (used.size >= UNEXPIRED_PER_SOURCE) dropExpired(used, now);
      if (used.size >= UNEXPIRED_PER_SOURCE) throw overloaded();
      used.set(digest, expiresAt);
      return true;
    },
  };
}

function overloaded(): ApiError {
  return new ApiError('ResourceExhausted', 'server overloaded; retry later', { retryAfterS: 60 });
}

function dropExpired(used: Map<string, number>, now: number): void {
  for (const [digest, expiresAt] of used) if (expiresAt <= now) used.delete(digest);
}
