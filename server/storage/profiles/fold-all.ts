import type { FoldRequest, ProfileStorage, UndecidedEvents } from '../profile-storage.ts';

/** Folds until nothing is left, so many at a time; answers what was undecided. */
export async function foldAll(request: FoldRequest, fold: ProfileStorage['fold']): Promise<readonly UndecidedEvents[]> {
  const undecided: UndecidedEvents[] = [];
  for (;;) {
    const folded = await fold(request);
    undecided.push(...folded.undecided);
    if (!folded.isMore) return undecided;
  }
}
