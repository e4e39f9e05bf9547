import { type Keyring, NO_KEYS } from '../../secrets/keyring.ts';
import type { SharedState, Taken } from '../../shared-state.ts';
import type { Database } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { eachPart, inPart } from '../parts.ts';
import { lossStorage, tidyLosses } from './losses.ts';
import { signingKey } from './signing-key.ts';

/** Or it began before the clock was set back, and would end when that reads again what it read then. */
const IS_OVER = '(r.ends_at <= now_ms() OR r.ends_at > now_ms() + 2 * $2::bigint)';
const TAKE = writes(
  'take',
  `INSERT INTO rates AS r (key, count, ends_at) VALUES ($1, 1, now_ms() + $2)
   ON CONFLICT (key) DO UPDATE SET
     count = CASE WHEN ${IS_OVER} THEN 1 ELSE r.count + 1 END,
     ends_at = CASE WHEN ${IS_OVER} THEN excluded.ends_at ELSE r.ends_at END
   RETURNING count, ends_at - now_ms() AS "endsInMs"`,
);

/** Whoever has many addresses makes many of them. */
const TIDY_RATES = writes('tidy_rates', `DELETE FROM rates WHERE ${inPart(1)} AND ends_at <= now_ms()`);

/** What routers have in common, in tables that all of them write. */
export function sharedState(database: Database, keyring: Keyring = NO_KEYS): SharedState {
  return {
    ...lossStorage(database),
    async take({ key, windowMs }) {
      const [taken] = await database.run<Taken>(TAKE, [key, windowMs]);
      return taken ?? { count: 1, endsInMs: windowMs };
    },
    signingKey: () => signingKey(database, keyring),
    async tidy() {
      await eachPart(database, 'rates', (bounds) => database.run(TIDY_RATES, bounds));
      await tidyLosses(database);
    },
  };
}
