import { type RefreshedDirectory, spacesNow } from '../audiences/all-computations.ts';
import { tellUndecided, type TellPorts } from '../audiences/tell-undecided.ts';
import type { Folded, ProfileStorage } from '../storage/profile-storage.ts';
import { foldAll } from '../storage/profiles/fold-all.ts';

/** Caught events that are folded at a time where all are. */
const LOT = 2_000;
/** Lots that a read folds: it is answered within seconds however much waits. */
const LOTS_OF_A_READ = 5;

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

/** For a read, which is to see what was accepted a moment ago: all where no more waits than a read may take. */
export async function foldForRead(ports: FoldPorts): Promise<void> {
  for (let lot = 0; lot < LOTS_OF_A_READ; lot += 1) {
    if (!(await foldCaught(ports, LOT)).isMore) return;
  }
}
