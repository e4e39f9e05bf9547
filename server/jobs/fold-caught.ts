import { type RefreshedDirectory, spacesNow } from '../audiences/all-computations.ts';
import { tellUndecided, type TellPorts } from '../audiences/tell-undecided.ts';
import type { Folded, ProfileStorage } from '../storage/profile-storage.ts';
import { foldAll } from '../storage/profiles/fold-all.ts';

/** Caught events that are folded at a time where all are. */
const LOT = 2_000;

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

/** All that was caught, so that what was accepted a moment ago is known too. */
export async function foldAllCaught(ports: FoldPorts): Promise<void> {
  await foldAll(() => foldCaught(ports, LOT));
}
