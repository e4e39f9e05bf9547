import type { ProfileStorage } from '../../storage/profile-storage.ts';
import type { AudienceInstruments } from './audience-instruments.ts';

/** Profiles with the ids that they refuse counted. */
export function measuredProfiles(own: ProfileStorage, { refusedIds }: AudienceInstruments): ProfileStorage {
  return {
    ...own,
    async fold(request) {
      const folded = await own.fold(request);
      refusedIds.inc(folded.refusedIds);
      return folded;
    },
    async erase(request) {
      const erased = await own.erase(request);
      refusedIds.inc(erased.refusedIds);
      return erased;
    },
  };
}
