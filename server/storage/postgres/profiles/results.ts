import type { ProfileStorage, Result } from '../../profile-storage.ts';
import type { Database } from '../connection/database.ts';
import { reads } from '../connection/statement.ts';

const RUN = reads(
  'run_of_results',
  `SELECT r.computation, r.run FROM computations c, LATERAL (SELECT computation, run FROM runs
     WHERE computation = c.id AND run = coalesce($2::bigint, run) ORDER BY run DESC LIMIT 1) r
   WHERE c.name = $1 ORDER BY r.run DESC LIMIT 1`,
);
/** Statements of their own: a plan that serves both looks at all that is behind the part. */
const TO_THE_END = reads('read_results', page(''));
const WITHIN = reads('read_results_within', page(' AND user_id <= $5'));

function page(part: string): string {
  return `SELECT user_id AS user, value, since FROM results WHERE computation = $1 AND user_id > $3${part}
     AND since <= $2 AND (until IS NULL OR until > $2) ORDER BY user_id LIMIT $4`;
}

/** A run is kept, or gone with all that only it had: pages of one run are of one version. */
export function results(database: Database): ProfileStorage['results'] {
  return async ({ computation, run, after = '', upTo, limit }) => {
    const [found] = await database.run<{ readonly computation: number; readonly run: number }>(RUN, [
      computation,
      run ?? null,
    ]);
    if (found === undefined) return { run: undefined, results: [], next: undefined };
    const bounds = [found.computation, found.run, after, limit + 1];
    const rows = await (upTo === undefined
      ? database.run<Result>(TO_THE_END, bounds)
      : database.run<Result>(WITHIN, [...bounds, upTo]));
    const shown = rows.slice(0, limit);
    return { run: found.run, results: shown, next: rows.length > limit ? shown.at(-1)?.user : undefined };
  };
}
