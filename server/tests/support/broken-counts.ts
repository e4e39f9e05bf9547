import type { HourlyAddition } from '../../storage/delivery-log.ts';
import type { Break } from './broken-delivery-stores.ts';

/** Mistakes about what others count, in words that follow «a store that». */
export const COUNT_MISTAKES: Readonly<Record<string, Break>> = {
  'answers what was added, not what there is': (own) => ({
    addCounts: async (additions) => {
      await own.addCounts(additions);
      return additions.map(({ count }) => count);
    },
  }),
  'counts all hours as one': (own) => ({
    addCounts: (additions) => own.addCounts(additions.map((one): HourlyAddition => ({ ...one, hour: 0 }))),
  }),
  'counts all workspaces as one': (own) => ({
    addCounts: (additions) => own.addCounts(additions.map((one): HourlyAddition => ({ ...one, of: 'one' }))),
  }),
  'adds up the counts of the first destination alone': (own) => ({
    sums: ({ destinations, ...hours }) => own.sums({ destinations: destinations.slice(0, 1), ...hours }),
  }),
  'adds up the counts of the first hour alone': (own) => ({
    sums: ({ from, ...query }) => own.sums({ ...query, from, to: from + 1 }),
  }),
  'keeps what is counted to itself': () => {
    const own = new Map<string, number>();
    return {
      addCounts: async (additions) =>
        additions.map(({ of, hour, what, count }) => {
          const key = JSON.stringify([of, hour, what]);
          own.set(key, (own.get(key) ?? 0) + count);
          return own.get(key) ?? 0;
        }),
    };
  },
};
