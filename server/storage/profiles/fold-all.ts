import type { Folded, UndecidedEvents } from '../profile-storage.ts';

/** Folds one lot after the other until no more is left; answers what was refused and undecided. */
export async function foldAll(fold: () => Promise<Folded>): Promise<Pick<Folded, 'refusedIds' | 'undecided'>> {
  const undecided: UndecidedEvents[] = [];
  let refusedIds = 0;
  for (;;) {
    const folded = await fold();
    undecided.push(...folded.undecided);
    refusedIds += folded.refusedIds;
    if (!folded.isMore) return { refusedIds, undecided };
  }
}
