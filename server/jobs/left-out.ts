import { compareUsers } from '../audiences/user-order.ts';
import type { SyncCursor } from '../model/sync.ts';

/**
 * Whom a sync leaves out, as they are suppressed or filters drop what holds of them. Each counts once for a destination, however often
 * it is compared. Lost with the process: where a sync goes on in another, those who are compared once more count once more.
 */
export class LeftOut {
  /** The last user that was counted of each destination. */
  readonly #last = new Map<string, string>();

  /** Where a sync stands afterwards, where these users are left out on the way, in their order. */
  countIn({ leftOut: before = 0 }: SyncCursor, after: SyncCursor, destination: string, users: readonly string[]) {
    const last = this.#last.get(destination);
    const added = users.filter((user) => last === undefined || compareUsers(user, last) > 0).length;
    return before + added === 0 ? after : { ...after, leftOut: before + added };
  }

  /** To be called once that is stored. */
  counted(destination: string, users: readonly string[]): void {
    const [last, next] = [this.#last.get(destination), users.at(-1)];
    if (next !== undefined && (last === undefined || compareUsers(next, last) > 0)) this.#last.set(destination, next);
  }
}
