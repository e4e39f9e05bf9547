import { createHash } from 'node:crypto';
import { type Keyring, NO_KEYS } from '../../secrets/keyring.ts';
import type { SharedState, Taken } from '../../shared-state.ts';
import type { Database } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { lossStorage, TIDY_LOSSES } from './losses.ts';
import { signingKey } from './signing-key.ts';

const TAKE = writes(
  'take',
  `INSERT INTO rates AS r (key, count, ends_at) VALUES ($1, 1, now_ms() + $2)
   ON CONFLICT (key) DO UPDATE SET
     count = CASE WHEN r.ends_at <= now_ms() THEN 1 ELSE r.count + 1 END,
     ends_at = CASE WHEN r.ends_at <= now_ms() THEN excluded.ends_at ELSE r.ends_at END
   RETURNING count, ends_at - now_ms() AS "endsInMs"`,
);

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

const TIDY = [
  writes('tidy_rates', `DELETE FROM rates WHERE ends_at <= now_ms()`),
  writes('tidy_used_ids', `DELETE FROM used_ids WHERE until <= now_ms()`),
];

/** What routers have in common, in tables that all of them write. */
export function sharedState(database: Database, keyring: Keyring = NO_KEYS): SharedState {
  return {
    ...lossStorage(database),
    async take({ key, windowMs }) {
      const [taken] = await database.run<Taken>(TAKE, [key, windowMs]);
      return taken ?? { count: 1, endsInMs: windowMs };
    },
    async useOnce({ owner, id, forMs, limit }) {
      // As text an id may be long.
      const digest = createHash('sha256').update(id).digest();
      const [found] = await database.run<UseOutcome>(USE_ONCE, [owner, digest, forMs, limit]);
      if (found?.isFirst === true) return 'first';
      return found?.isFull === true ? 'full' : 'again';
    },
    signingKey: () => signingKey(database, keyring),
    async tidy() {
      for (const statement of [...TIDY, ...TIDY_LOSSES]) await database.run(statement);
    },
  };
}

interface UseOutcome {
  readonly isFirst: boolean;
  readonly isFull: boolean;
}
