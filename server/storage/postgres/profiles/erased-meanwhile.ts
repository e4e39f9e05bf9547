import type { Transactions } from '../connection/database.ts';
import { writes } from '../connection/statement.ts';
import { lockProfiles } from './locks.ts';

/** Who came with a later number may have the id of one who was erased, and is another profile: the run has not seen it. */
const FORGET = writes(
  'forget_erased',
  `DELETE FROM results r WHERE r.computation = $1 AND r.since = $2
     AND NOT EXISTS (SELECT FROM users u WHERE u.space = $3 AND u.value = r.user_id AND u.id <= $4)`,
);

/** What a run has found, and is committed. */
export interface Found {
  readonly workspace: string;
  readonly space: number;
  readonly computation: number;
  readonly run: number;
  /** The highest number of a user that it may have seen. */
  readonly lastUser: number;
}

/**
 * Who erases users beside a run does not see what that has found until it is committed, and a run may take minutes: whom it found, and
 * who was erased meanwhile, goes afterwards (AUD-9). An erasure that is under way by then may have looked before: it is waited for, and
 * whatever begins later sees all. To do it again does no harm.
 */
export async function forgetErased(
  database: Transactions,
  { workspace, space, computation, run, lastUser }: Found,
): Promise<void> {
  await database.transaction((queries) => lockProfiles(queries, workspace));
  await database.run(FORGET, [computation, run, space, lastUser]);
}
