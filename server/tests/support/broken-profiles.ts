import type { ResultsPage } from '../../storage/profile-storage.ts';
import { EDGE_MISTAKES } from './broken-edges.ts';
import { REMOVAL_MISTAKES } from './broken-removals.ts';
import { UNDECIDED_MISTAKES } from './broken-undecided.ts';
import {
  conditionsOf,
  counting,
  NOT_OF_WHO_HAS_A_TRAIT,
  NOTHING_IS_MISSING,
  planning,
  shifted,
} from './changed-plans.ts';
import { at, folding, hourAfter, idOf, measuring, type ProfileBreak } from './changed-folds.ts';

const EVER = Number.MAX_SAFE_INTEGER;

const UNITE_NOBODY: ProfileBreak = folding((event) => (event.type === 'alias' ? [] : [event]));

/** Of each fact of the suite: mistakes that fail it, in words that follow «profiles that». Those of the whole place are with the test. */
export const PROFILE_MISTAKES: Readonly<Record<string, Readonly<Record<string, ProfileBreak>>>> = {
  ...EDGE_MISTAKES,
  ...REMOVAL_MISTAKES,
  ...UNDECIDED_MISTAKES,
  'AUD-7: whoever was seen with a user id is a profile, and nobody else': {
    'are made of every visitor': folding((event) => {
      const userId = event.userId ?? event.anonymousId;
      return [userId === undefined ? event : { ...event, userId }];
    }),
  },
  'AUD-7: what carries no more than ids makes a profile, and is counted by no measure': {
    'count what carries no more than ids': folding((event) => [{ ...event, type: event.type ?? 'track' }]),
  },
  'AUD-7: an id that ends in half of a character is one, told as it can be written': {
    'unite nobody': UNITE_NOBODY,
  },
  'AUD-7, check 9: what an anonymous id did before it was seen with a user counts for the user': {
    'forget what was done before a user was known': folding((event) =>
      event.userId === undefined && event.type !== 'alias' ? [] : [event],
    ),
  },
  'AUD-7, check 10: two users of one device stay two, each with their own hours': {
    'leave a device to its first user': (own, inbox) => {
      const owners = new Map<string, string>();
      return folding(({ anonymousId, ...event }) => {
        const owner = owners.get(anonymousId ?? '') ?? event.userId;
        if (anonymousId !== undefined && owner !== undefined) owners.set(anonymousId, owner);
        return [owner === event.userId || event.userId === undefined ? { ...event, ...idOf(anonymousId) } : event];
      })(own, inbox);
    },
  },
  'AUD-7: within an hour the user who came last has an anonymous id, by the least time of each': {
    'know no more than the hour in which ids were seen together': folding((event) =>
      event.userId === undefined || event.anonymousId === undefined ? [event] : [at(event, hourAfter(event.timestamp))],
    ),
  },
  'AUD-7: of users seen at the same moment the greater id by UTF-8 has an anonymous id from then on': {
    'take the order of arrival for that of time': (own, inbox) => {
      let arrivals = 0;
      return folding((event) => [at(event, Date.parse(event.timestamp ?? '') + (arrivals += 1))])(own, inbox);
    },
  },
  'AUD-7, check 11: aliases a to b, b to a and a to b make one profile, told under the last one': {
    'unite nobody': UNITE_NOBODY,
  },
  'AUD-7: a chain of aliases is one profile, whichever came first': {
    'unite nobody': UNITE_NOBODY,
  },
  'AUD-7: an alias brings what its former id did while it was anonymous': {
    'unite nobody': UNITE_NOBODY,
  },
  'AUD-7: a merged profile has the later trait of each, and those of its anonymous ids at their hours': {
    'take the trait that came first': (own, inbox) => {
      let number = 0;
      return folding((event) =>
        event.type === 'identify' ? [at(event, Date.UTC(2026, 1, 20) - (number += 1))] : [event],
      )(own, inbox);
    },
  },
  'AUD-7: ids of no person, and the 101st of one, are refused and counted': {
    'do not count what they refuse': (own) => ({
      fold: async (request) => ({ ...(await own.fold(request)), refusedIds: 0 }),
    }),
    'erase without counting': (own) => ({ erase: async (of) => ({ ...(await own.erase(of)), refusedIds: 0 }) }),
  },
  'AUD-10: each aggregate is made of the numbers, or of the values, and is missing where there are none': {
    'take a sum for an average': counting((value) =>
      value.aggregate === 'avg' ? { ...value, aggregate: 'sum' } : value,
    ),
  },
  'AUD-10: ties of the most frequent go by code point, and those of first and last by message id': {
    'put what came later first among equals': (own, inbox) => {
      let number = EVER;
      return folding((event) => [{ ...event, messageId: String((number -= 1)) }])(own, inbox);
    },
  },
  'AUD-6: windows are whole hours, and an event at the end of an hour is in it': {
    'begin windows an hour late': shifted(({ from, to }) => ({ from: from === undefined ? from : from + 1, to })),
    'end windows an hour early': shifted(({ from, to }) => ({ from, to: to - 1 })),
  },
  'AUD-6: zero compares where a condition counts nothing, also for those without any event': {
    'take nothing for missing': NOTHING_IS_MISSING,
  },
  'AUD-6: conditions nest, and not is over all profiles': {
    'leave those without traits out of "not"': NOT_OF_WHO_HAS_A_TRAIT,
  },
  'AUD-6: every comparison holds for its own kind alone, and for nothing that is missing': {
    'find that what is missing is another value': planning((plan) =>
      'is' in plan && 'neq' in plan.is ? { kind: 'not', of: { ...plan, is: { eq: plan.is.neq } } } : plan,
    ),
  },
  'a plan as large as definitions can become is computed': {
    'refuse a plan of more than a hundred conditions': (own) => ({
      preview: async (request) => {
        if (conditionsOf(request.members) > 100) throw new Error('too many');
        return own.preview(request);
      },
    }),
  },
  'AUD-10: values of JSON compare as traits do': {
    'compare what was written, and not its value': planning((plan) =>
      plan.kind === 'measured' && 'eq' in plan.is ? { ...plan, is: { eq: JSON.stringify(plan.is.eq) } } : plan,
    ),
  },
  'AUD-6, check 6: a late event counts where it belongs, and one of the future from its receipt': {
    'count events when they come': folding((event) => [{ ...event, timestamp: event.receivedAt ?? '' }]),
    'count events of the future in the future': folding((event) => [{ ...event, receivedAt: event.timestamp ?? '' }]),
  },
  'AUD-6: a measure counts events of its sources since it began, and of no other workspace': {
    'count events of every source': measuring((one) => ({
      ...one,
      measures: one.measures.map(({ sources: _sources, ...measure }) => measure),
    })),
    'count from the beginning of time': measuring((one) => ({
      ...one,
      measures: one.measures.map((measure) => ({ ...measure, from: 0 })),
    })),
  },
  'a value or a trait of more than 4 KB, a name of more than 200 characters and the 201st trait are not kept': {
    'drop all of an event of which something is too large': folding((event) =>
      JSON.stringify(event).length > 4_500 ? [] : [event],
    ),
  },
  'traits that nest deeply fail nothing': {
    'fail with what nests deeply': (own, inbox) => ({
      fold: async (request) => {
        if (inbox.rows.some(({ caught }) => caught.includes('['.repeat(1_000)))) throw new Error('too deep');
        return own.fold(request);
      },
    }),
  },
  'AUD-3: a run says who entered and who left since the one before it': {
    'say that all members entered': (own) => ({
      compute: async (request) => {
        const computed = await own.compute(request);
        return { ...computed, entered: computed.size, left: 0 };
      },
    }),
  },
  'a run that is asked for again changes nothing, whatever was folded meanwhile': {
    'compute a run again': (own) => {
      let last = 0;
      return {
        compute: (request) => {
          last = Math.max(last + 1, request.run);
          return own.compute({ ...request, run: last });
        },
      };
    },
  },
  'check 25: the results of a run are the same while another is computed, and two runs are kept': {
    'keep one run alone': (own) => ({ results: ({ run: _run, ...query }) => own.results(query) }),
    'keep every run': (own) => {
      const kept = new Map<number, ResultsPage>();
      return {
        compute: async (request) => {
          const computed = await own.compute(request);
          kept.set(request.run, await own.results({ computation: request.computation, limit: EVER }));
          return computed;
        },
        results: async (query) => {
          const page = await own.results(query);
          return page.run === undefined ? (kept.get(query.run ?? 0) ?? page) : page;
        },
      };
    },
  },
  'results come in the order of UTF-8, page by page, each once': {
    'walk users in the order of their own language': (own) => ({
      results: async ({ after = '', limit, ...query }) => {
        const { run, results } = await own.results({ ...query, limit: EVER });
        const behind = results.filter(({ user }) => user > after).toSorted((a, b) => (a.user < b.user ? -1 : 1));
        const page = behind.slice(0, limit);
        return { run, results: page, next: behind.length > limit ? page.at(-1)?.user : undefined };
      },
    }),
  },
  'results end with the user up to whom they are asked for': {
    'go on behind the user up to whom results are asked for': (own) => ({
      results: ({ upTo: _upTo, ...query }) => own.results(query),
    }),
    'leave out the user up to whom results are asked for': (own) => ({
      results: async (query) => {
        const { results, ...page } = await own.results(query);
        return { ...page, results: results.filter(({ user }) => user !== query.upTo) };
      },
    }),
  },
  'AUD-10: a value that changes is a result of the run that found it, and nobody entered or left': {
    'name the last run as the one that found a value': (own) => ({
      results: async (query) => {
        const { results, ...page } = await own.results(query);
        return { ...page, results: results.map((one) => ({ ...one, since: page.run ?? one.since })) };
      },
    }),
  },
  'AUD-10: pages of values are of one run, whatever the values become and whoever loses one meanwhile': {
    'answer the values of the last run in pages of an older one': (own) => ({
      results: async (query) => {
        const [page, last] = [await own.results(query), await own.results({ ...query, run: undefined })];
        const now = new Map(last.results.map(({ user, value }) => [user, value]));
        return { ...page, results: page.results.map((one) => ({ ...one, value: now.get(one.user) ?? one.value })) };
      },
    }),
    'leave out of an older run who has no value any more': (own) => ({
      results: async (query) => {
        const [page, last] = [await own.results(query), await own.results({ ...query, run: undefined })];
        const users = new Set(last.results.map(({ user }) => user));
        return { ...page, results: page.results.filter(({ user }) => users.has(user)) };
      },
    }),
  },
  'check 12: of two members that merge the one it is told under stays, and the other has left': {
    'unite nobody': UNITE_NOBODY,
  },
  'a preview answers the size and a sample in order, and stores nothing': {
    'store what is previewed': (own) => ({
      preview: async (request) => {
        const computation = 'workspaces/main/audiences/aud_1';
        await own.compute({ ...request, computation, run: 1, of: { members: request.members } });
        return own.preview(request);
      },
    }),
  },
  'AUD-6: what one workspace caught is folded without what others did, and each once': {
    'fold what all caught for one': (own) => ({ fold: (request) => own.fold({ ...request, workspace: undefined }) }),
  },
  'AUD-6: what was caught up to a moment is folded without what comes behind': {
    'fold what comes behind': (own) => ({ fold: (request) => own.fold({ ...request, upTo: undefined }) }),
  },
  'what was caught is folded once, in lots, and is gone from the inbox then': {
    'fold everything twice': folding((event) => [event, event]),
  },
  'tidying removes tiles of no measure and of no window, a part at a time, and nothing else': {
    'tidy away all that was counted': (own) => ({
      tidy: ({ needed, limit }) => own.tidy({ needed: async () => ({ ...(await needed()), spaces: [] }), limit }),
    }),
    'tidy everything at once': (own) => ({
      tidy: async (request) => {
        while (await own.tidy({ ...request, limit: 1_000 }));
        return false;
      },
    }),
  },
  'tidying removes a space that ended, and results of computations that are gone': {
    'keep what nothing needs': () => ({ tidy: () => Promise.resolve(false) }),
  },
};
