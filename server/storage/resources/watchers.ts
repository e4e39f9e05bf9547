import type { Kind } from '../../model/resources.ts';
import type { Change, Commit } from '../config-store.ts';

/** Who hears of commits, whichever engine makes them. */
export class Watchers {
  readonly #told = new Set<(commit: Commit) => void>();

  /** Tells what stands, and from then on each commit. Answers how to stop it. */
  add<K extends Kind>(
    listener: (commit: Commit<K>) => void,
    kinds: readonly K[] | undefined,
    standing: Iterable<Commit>,
  ): () => void {
    const told = (commit: Commit): void => {
      const own = commit.changes.filter(({ kind }) => kinds === undefined || kinds.some((one) => one === kind));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of these kinds; the compiler cannot tell that of a union
      const changes = own as unknown as readonly Change<K>[];
      if (kinds === undefined || changes.length > 0) listener({ ...commit, changes });
    };
    for (const commit of standing) told(commit);
    this.#told.add(told);
    return () => void this.#told.delete(told);
  }

  tell(commit: Commit): void {
    for (const told of this.#told) told(commit);
  }
}
