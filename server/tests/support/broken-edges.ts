import { at, folding, type ProfileBreak } from './changed-folds.ts';

/** Mistakes about numbers, times, lists and ids at the end of what there is, and about what comes while something else is under way. */
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
  'AUD-10: sums and averages are rounded to as many decimals as there is room for': {
    'round all to six decimals': (own) => ({
      results: async (request) => {
        const { results, ...page } = await own.results(request);
        return { ...page, results: results.map((one) => ({ ...one, value: sixDecimals(one.value) })) };
      },
    }),
  },
  'AUD-10: an average of the smallest numbers that there are is 0': {
    'take the smallest for 0': folding(({ properties, ...event }) => {
      const { total } = properties ?? {};
      return [{ ...event, properties: { ...properties, total: total === 5e-324 ? 0 : total } }];
    }),
  },
  'AUD-10: a list has as many values, in their order, as 8 KB of JSON have room for': {
    'leave no room for the last byte': (own) => ({
      results: async (request) => {
        const { results, ...page } = await own.results(request);
        const cut = results.map((one) => (Buffer.byteLength(one.value) < 8_192 ? one : { ...one, value: '[]' }));
        return { ...page, results: cut };
      },
    }),
  },
  'AUD-6: of whose tiles there are more than 2 MB, the value is known, and the tiles are not told': {
    'tell a part of the tiles for all': (own) => ({
      profile: async (request) => {
        const profile = await own.profile(request);
        return profile && { ...profile, tiles: profile.tiles ?? [] };
      },
    }),
    'take what they do not tell for nothing': (own) => ({
      profile: async (request) => {
        const profile = await own.profile(request);
        return profile && { ...profile, values: profile.values.map((value) => (value === 501 ? 0 : value)) };
      },
    }),
  },
  'AUD-7: an id of more than 1000 bytes is of nobody, and is refused and counted': {
    'cut long ids': folding(({ userId, ...event }) => [
      userId === undefined ? event : { ...event, userId: userId.slice(0, 500) },
    ]),
  },
  'AUD-6: a trait is a time where an event could have that time, leap seconds and the year 0 included': {
    'know no leap second': folding(({ traits, ...event }) => {
      const { since } = traits ?? {};
      return [{ ...event, traits: { since: String(since).replace(':60Z', ':61Z') } }];
    }),
    'take digits for a time': folding(({ traits, ...event }) => {
      const { since } = traits ?? {};
      return [{ ...event, traits: { since: since === '20170101' ? '2017-01-01T00:00:01Z' : since } }];
    }),
  },
  'AUD-6: a character that a database cannot hold hides nothing of what is beside it': {
    'let go of such texts': folding(({ traits, ...event }) => [
      { ...event, traits: Object.fromEntries(Object.entries(traits ?? {}).filter(([, value]) => isPlain(value))) },
    ]),
    'read on behind an escaped backslash': folding(({ traits, ...event }) => [
      { ...event, traits: JSON.parse(JSON.stringify(traits).replaceAll(String.raw`\\u0000`, String.raw`\ufffd`)) },
    ]),
  },
};

function sixDecimals(value: string): string {
  return String(Math.floor(Number(value) * 1e6 + 0.5) / 1e6);
}

function isPlain(value: unknown): boolean {
  return !/\\u(?:0000|d8)/.test(JSON.stringify(value));
}
