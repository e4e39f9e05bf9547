import { digestOf, type UsedIds } from '../../used-ids.ts';
import type { Queries } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';

/**
 * One of two that come at once waits for the other's row, and finds it. What has ended is told by a sum, so that nobody
 * looks for it in the index of ends, however few the statistics say are left.
 */
const USE_ONCE = writes(
  'use_once',
  `WITH known AS (SELECT count(*) AS count FROM used_ids WHERE owner = $1 AND until + 0 > now_ms()),
     added AS (
       INSERT INTO used_ids AS u (owner, id, until) SELECT $1, $2, now_ms() + $3 FROM known WHERE count < $4
       ON CONFLICT (owner, id) DO UPDATE SET until = excluded.until WHERE u.until <= now_ms()
       RETURNING id)
   SELECT EXISTS (SELECT FROM added) AS "isFirst",
     (SELECT count FROM known) >= $4
       AND NOT EXISTS (SELECT FROM used_ids WHERE owner = $1 AND id = $2 AND until + 0 > now_ms()) AS "isFull"`,
);

/** Of what is over nobody is told whether it was used. */
export const SWEEP_USED_IDS = writes(
  'sweep_used_ids',
  `DELETE FROM used_ids WHERE ctid = ANY(ARRAY(SELECT ctid FROM used_ids WHERE until <= now_ms() ORDER BY until LIMIT $1))
   RETURNING owner`,
);

interface UseOutcome {
  readonly isFirst: boolean;
  readonly isFull: boolean;
}

export function usedIds(queries: Queries): UsedIds {
  return {
    async useOnce({ owner, id, forMs, limit }) {
      const [found] = await queries.run<UseOutcome>(USE_ONCE, [owner, digestOf({ id }), forMs, limit]);
      if (found?.isFirst === true) return 'first';
      return found?.isFull === true ? 'full' : 'again';
    },
  };
}
