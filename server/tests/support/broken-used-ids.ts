import type { Break } from './broken-delivery-stores.ts';

const EVER = Number.MAX_SAFE_INTEGER;

/** Mistakes about what may be used once, in words that follow «a store that». */
export const USED_ID_MISTAKES: Readonly<Record<string, Break>> = {
  'lets everything be used again': () => ({ useOnce: () => Promise.resolve('first') }),
  'takes what all owners use as one': (own) => ({ useOnce: (use) => own.useOnce({ ...use, owner: 'one' }) }),
  'looks at the beginning of an id alone': (own) => ({
    useOnce: (use) => own.useOnce({ ...use, id: use.id.slice(0, 100) }),
  }),
  'remembers what was used for ever': (own) => ({ useOnce: (use) => own.useOnce({ ...use, forMs: EVER }) }),
  'remembers any number of used ids': (own) => ({ useOnce: (use) => own.useOnce({ ...use, limit: EVER }) }),
  'purges what may not be used again yet': (own) => ({
    purge: (request) => own.purge({ ...request, usedBefore: EVER }),
  }),
  'keeps what was used to itself': () => {
    const used = new Set<string>();
    return {
      useOnce: ({ owner, id }) => {
        const key = JSON.stringify([owner, id]);
        const isFirst = !used.has(key);
        used.add(key);
        return Promise.resolve(isFirst ? 'first' : 'again');
      },
    };
  },
};
