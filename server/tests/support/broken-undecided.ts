import type { ProfileBreak } from './changed-folds.ts';

/** As PROFILE_MISTAKES: of events that take too long to decide. */
export const UNDECIDED_MISTAKES: Readonly<Record<string, Readonly<Record<string, ProfileBreak>>>> = {
  'SAFE-2: what takes too long to decide is not counted, and told; all else of the event counts': {
    'do not tell what was undecided': (own) => ({
      fold: async (request) => ({ ...(await own.fold(request)), undecided: [] }),
    }),
  },
  'SAFE-2: a fold ends where events take long, and what is left comes with the next': {
    'fold whatever there is': (own) => ({
      async fold(request) {
        let folded = await own.fold(request);
        while (folded.isMore) folded = await own.fold(request);
        return folded;
      },
    }),
  },
  'SAFE-2: who is erased is gone from events that take long too, and what of them was undecided is told': {
    'do not tell what was undecided when they erase': (own) => ({
      erase: async (request) => ({ ...(await own.erase(request)), undecided: [] }),
    }),
    'let go what waits when they erase': (own) => ({
      erase: (request) => own.erase({ ...request, spaces: async () => [] }),
    }),
  },
};
