import { type RefreshedDirectory, spacesNow } from '../audiences/all-computations.ts';
import { tellUndecided, type TellPorts } from '../audiences/tell-undecided.ts';
import type { Folded, ProfileStorage } from '../storage/profile-storage.ts';

export interface FoldPorts extends TellPorts {
  readonly directory: RefreshedDirectory;
  readonly profiles: Pick<ProfileStorage, 'fold'>;
}

/** Folds the oldest of what was caught, and tells of what could not be decided. */
export async function foldCaught(ports: FoldPorts, limit: number): Promise<Folded> {
  const { profiles, directory } = ports;
  const folded = await profiles.fold({ spaces: spacesNow(directory), limit });
  tellUndecided(folded.undecided, ports);
  return folded;
}
