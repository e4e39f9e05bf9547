import { at, folding, type ProfileBreak } from './changed-folds.ts';

/** Mistakes about numbers and times at the end of what there is, and about what comes while something else is under way. */
export const EDGE_MISTAKES: Readonly<Record<string, Readonly<Record<string, ProfileBreak>>>> = {
  'AUD-10: a number beyond 1e100 is not added up, as sums of such are no numbers any more': {
    'take what is beyond for the most that there is': folding(({ properties, ...event }) => {
      const { total } = properties ?? {};
      const most = typeof total === 'number' && Math.abs(total) > 1e100 ? 1e100 : total;
      return [{ ...event, properties: { ...properties, total: most } }];
    }),
  },
  'AUD-6: what is of the year 1 counts there, and no profile costs a look at each day since': {
    'take no time before 1970': folding((event) => [at(event, Math.max(0, Date.parse(event.timestamp ?? '')))]),
  },
  'AUD-6: who folds asks what counts once it is known what is folded, so that nothing misses a new measure': {
    'ask what counts before they look': (own) => ({
      fold: async (request) => {
        const standing = await request.spaces();
        return own.fold({ ...request, spaces: async () => standing });
      },
    }),
  },
};
