import { EVERYBODY, space } from '../conformance/profile-place.ts';
import type { ProfileBreak } from './changed-folds.ts';

const EVER = Number.MAX_SAFE_INTEGER;

/** Mistakes about who is erased. */
export const REMOVAL_MISTAKES: Readonly<Record<string, Readonly<Record<string, ProfileBreak>>>> = {
  'AUD-9: an erased user is gone in all ids that it merged with, from profiles, tiles and results of every run': {
    'erase nobody': () => ({ erase: async () => ({ unasked: [], refusedIds: 0, undecided: [], isMore: false }) }),
    'erase ids that nobody asked for': (own) => ({
      erase: async (request) => {
        const { unasked, ...folded } = await own.erase(request);
        if (unasked.length > 0) await own.erase({ ...request, userIds: [...request.userIds, ...unasked] });
        return { unasked, ...folded };
      },
    }),
    'do not tell the other ids of who is erased': (own) => ({
      erase: async (request) => ({ ...(await own.erase(request)), unasked: [] }),
    }),
  },
  'AUD-9: of a device that was shared, the hours of the other user stay': {
    'erase everybody who used the same device': (own) => ({
      erase: async (request) => {
        const { sample } = await own.preview({ space: space().id, members: EVERYBODY, sample: EVER });
        const all = await Promise.all(sample.map((user) => own.profile({ space: space().id, user, measures: [] })));
        const devices = all.flatMap((one) =>
          one?.userIds.some((id) => request.userIds.includes(id)) === true ? one.anonymousIds : [],
        );
        const others = all.filter((one) => one?.anonymousIds.some((id) => devices.includes(id)));
        return own.erase({ ...request, userIds: [...request.userIds, ...others.flatMap((one) => one?.userIds ?? [])] });
      },
    }),
  },
  'AUD-9: what was caught of an erased user before does not bring it back': {
    'fold after an erasure what was caught before it': (own, inbox) => ({
      erase: async (request) => {
        const rows = inbox.rows;
        inbox.rows = [];
        const erased = await own.erase(request);
        inbox.rows = rows;
        return erased;
      },
    }),
  },
  'AUD-9: erasing touches nobody of another workspace, and whoever is unknown is no mistake': {
    'erase a user in every workspace': (own) => ({
      erase: async (request) => {
        await own.erase({ ...request, workspace: 'workspaces/main2' });
        return own.erase(request);
      },
    }),
  },
};
