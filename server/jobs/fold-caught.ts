import { type RefreshedDirectory, spacesNow } from '../audiences/all-computations.ts';
import { tellUndecided, type TellPorts } from '../audiences/tell-undecided.ts';
import { StoreUnavailable } from '../storage/config-store.ts';
import { foldAll, type Folded, type FoldRequest, type ProfileStorage } from '../storage/profile-storage.ts';

/** Caught events that are folded at a time where all are. */
const LOT = 2_000;
/** Lots that a read folds: it is answered within seconds however much waits. */
const LOTS_OF_A_READ = 5;

export interface FoldPorts extends TellPorts {
  readonly directory: RefreshedDirectory;
  readonly profiles: Pick<ProfileStorage, 'fold'>;
}

/** To know what was caught until now as well. */
export interface FoldNowPorts extends FoldPorts {
  readonly profiles: Pick<ProfileStorage, 'fold' | 'lastCaught'>;
}

/** Folds the oldest of what was caught, and tells of what could not be decided. */
export async function foldCaught(ports: FoldPorts, of: Omit<FoldRequest, 'spaces'>): Promise<Folded> {
  const { profiles, directory } = ports;
  const folded = await profiles.fold({ spaces: spacesNow(directory), ...of });
  tellUndecided(folded.undecided, ports);
  return folded;
}

/**
 * What a workspace caught until now, so that what was accepted a moment ago is known too. Not what comes meanwhile, which may be
 * more than is folded, nor what others caught.
 */
export class FoldingUntilNow {
  readonly #ports: FoldNowPorts;
  readonly #workspace: string;
  #upTo: number | undefined;

  constructor(ports: FoldNowPorts, workspace: string) {
    this.#ports = ports;
    this.#workspace = workspace;
  }

  /** One lot; until now means the first one. */
  async step(): Promise<Folded> {
    this.#upTo ??= await this.#ports.profiles.lastCaught();
    return foldCaught(this.#ports, { limit: LOT, workspace: this.#workspace, upTo: this.#upTo });
  }
}

export async function foldUntilNow(ports: FoldNowPorts, workspace: string): Promise<void> {
  const folding = new FoldingUntilNow(ports, workspace);
  await foldAll(() => folding.step());
}

/**
 * For a read, which is to see what was accepted a moment ago: all where no more waits than a read may take. On a full disk it sees what was
 * folded before.
 */
export async function foldForRead(ports: FoldNowPorts, workspace: string): Promise<void> {
  const folding = new FoldingUntilNow(ports, workspace);
  try {
    for (let lot = 0; lot < LOTS_OF_A_READ; lot += 1) {
      if (!(await folding.step()).isMore) return;
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
