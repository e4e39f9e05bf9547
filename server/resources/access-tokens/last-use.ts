import type { Log } from '../../ports/log.ts';
import type { StoredToken } from '../../storage/config-store.ts';
import type { Env } from '../env.ts';
import { seconds } from '../times.ts';

/** So exact is the time that a token shows, and so rarely is it written. */
const EXACT_TO_MS = 60_000;

/** Remembers when tokens were last used. Told of each use; writes behind the request's back, at most once a minute. */
export function createLastUse({ store, clock }: Pick<Env, 'store' | 'clock'>, log: Log): (token: StoredToken) => void {
  const noted = new Map<string, number>();
  return ({ name }) => {
    const now = clock.steady();
    if (now - (noted.get(name) ?? -Infinity) < EXACT_TO_MS) return;
    noted.set(name, now);
    const change = (token: StoredToken): StoredToken => ({ ...token, last_used_time: seconds(clock.now()) });
    store.update('access-tokens', name, change).then(
      (token) => token === undefined && noted.delete(name),
      (error: unknown) => log.debug({ token: name, reason: String(error) }, 'the last use of a token was not stored'),
    );
  };
}
