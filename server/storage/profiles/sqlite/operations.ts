import type { DatabaseSync } from 'node:sqlite';
import type { Witness } from '../../file/deliveries/calls.ts';
import type { DiskRoom } from '../../file/disk-room.ts';
import type { FreeSpace } from '../../file/free-space/free-space.ts';
import type { ErasedProfiles, EraseRequest, ProfileStorage } from '../../profile-storage.ts';
import { computeOperations } from './compute.ts';
import { erase } from './erase.ts';
import { type FoldOperations, foldOperations } from './fold.ts';
import { createNumbers } from './numbers.ts';
import { profileOf, standingOf } from './profile.ts';
import { resultsOf } from './results.ts';
import { tidy, type Tidying } from './tidy.ts';

type Verb = Exclude<keyof ProfileStorage, 'fold' | 'lastCaught' | 'erase' | 'tidy' | 'previewsAtOnce'>;

/** What is done on the open file, each in a transaction of its own. The inbox is another's: what it holds is given to `fold`. */
export type ProfileOperations = FoldOperations & {
  readonly [V in Verb]: (...request: Parameters<ProfileStorage[V]>) => Awaited<ReturnType<ProfileStorage[V]>>;
} & {
  readonly erase: (request: Omit<EraseRequest, 'spaces'>) => Pick<ErasedProfiles, 'unasked' | 'isMore' | 'tookMs'>;
  readonly tidy: (request: Tidying) => boolean;
};

/** Those that store nothing. */
export const PROFILE_READS: ReadonlySet<string> = new Set<keyof ProfileOperations>([
  'position',
  'lastFolded',
  'preview',
  'results',
  'profile',
  'standing',
]);

/** Those that write into the file beside SQLite. */
export const PROFILE_WIPES: ReadonlySet<string> = new Set<keyof ProfileOperations>(['erase']);

export function createProfileOperations(
  database: DatabaseSync,
  space: Pick<FreeSpace, 'pages' | 'wipe'>,
  room: DiskRoom,
): { operations: ProfileOperations; witness: Witness } {
  const numbers = createNumbers(database);
  const { position, lastFolded, fold } = foldOperations(database, numbers);
  const { compute, preview, forgetSizes } = computeOperations(database, numbers, room);
  const [remove, clean] = [erase(database, numbers), tidy(database, numbers)];
  const operations: ProfileOperations = {
    position,
    lastFolded,
    fold: (lot) => {
      room.requireForFold(lot.ahead?.upTo !== undefined);
      forgetSizes();
      return fold(lot);
    },
    compute,
    preview,
    results: resultsOf(database),
    profile: profileOf(database, numbers),
    standing: standingOf(database, numbers),
    erase: (request) => {
      const begun = performance.now();
      forgetSizes();
      const erased = remove(request);
      // It reads the file whole: once all are gone, and not where nothing was removed, as they are known under other ids as well.
      if (!erased.isMore && erased.unasked.length === 0) space.wipe(1, space.pages());
      return { ...erased, tookMs: performance.now() - begun };
    },
    tidy: (request) => (forgetSizes(), clean(request)),
  };
  const rolledBack = (): void => {
    numbers.forget();
    forgetSizes();
  };
  return { operations, witness: { committing: () => undefined, committed: () => undefined, rolledBack } };
}
