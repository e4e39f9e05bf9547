import type { Folded, FoldRequest, ProfileStorage, UndecidedEvents } from '../profile-storage.ts';

/** Folds until nothing is left, so many at a time; answers what was refused and undecided. */
export async function foldAll(
  request: FoldRequest,
  fold: ProfileStorage['fold'],
): Promise<Pick<Folded, 'refusedIds' | 'undecided'>> {
  const undecided: UndecidedEvents[] = [];
  let refusedIds = 0;
  for (;;) {
    const folded = await fold(request);
    undecided.push(...folded.undecided);
    refusedIds += folded.refusedIds;
    if (!folded.isMore) return { refusedIds, undecided };
  }
}
