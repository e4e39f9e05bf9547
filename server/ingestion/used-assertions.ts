import { ApiError } from '../http/errors.ts';
import type { UsedIds } from '../storage/used-ids.ts';

/** Remembers which assertions were used, so that none is accepted twice: by another router, or after a restart. */
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

export function createUsedAssertions(storage: UsedIds): UsedAssertions {
  return {
    async use(owner, { id, expiresAt }, now) {
      // Senders may say a part of a millisecond.
      const forMs = Math.ceil(expiresAt - now);
      const found = await storage.useOnce({ owner, id, now, forMs, limit: UNEXPIRED_PER_SOURCE });
      if (found === 'full')
        throw new ApiError('ResourceExhausted', 'server overloaded; retry later', { retryAfterS: 60 });
      return found === 'first';
    },
  };
}
