import { type RefreshedDirectory, spacesNow } from '../audiences/all-computations.ts';
import { tellUndecided, type TellPorts } from '../audiences/tell-undecided.ts';
import type { ItemEraser } from '../losses/erase-items.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { JobStorage } from '../storage/job-storage.ts';
import type { ProfileStorage } from '../storage/profile-storage.ts';

/** Deliveries that one transaction looks at: it must not hold up what is being delivered. */
const ERASE_LIMIT = 500;

export interface ErasurePorts extends TellPorts {
  readonly storage: Pick<JobStorage, 'eraseUsers'>;
  readonly profiles: Pick<ProfileStorage, 'erase'>;
  readonly losses: ItemEraser;
  readonly directory: RefreshedDirectory;
}

/**
 * Removes what is stored of users, a bounded part in each step. In a whole workspace that is their profile first: what was decided to
 * be told of them just before is looked at, or refused, afterwards (AUD-9). To begin anew does no harm.
 */
export class Erasure {
  readonly #ports: ErasurePorts;
  readonly #scope: string;
  readonly #keep: (userIds: readonly string[]) => Promise<void>;
  #userIds: readonly string[];
  #isProfileGone = false;
  /** Of profiles, and then of all else. */
  #after: string | undefined;
  /** Of the last step, while it removed profiles. */
  #tookMs: number | undefined;

  /** `userIds`: as `erasedIds` has them. `keep`: stores what else they merged with, before anything is removed by which that is known. */
  constructor(ports: ErasurePorts, { scope, userIds, keep }: ErasedUsers) {
    this.#ports = ports;
    this.#scope = scope;
    this.#userIds = userIds;
    this.#keep = keep;
  }

  /** How long others waited for the last step, where storage tells that. */
  get tookMs(): number | undefined {
    return this.#tookMs;
  }

  /** Answers whether more is left. */
  async step(): Promise<boolean> {
    const { storage, clock } = this.#ports;
    this.#tookMs = undefined;
    if (!this.#isProfileGone) return this.#begin();
    const request = { scope: this.#scope, userIds: this.#userIds, now: clock.now(), after: this.#after };
    const { next } = await storage.eraseUsers({ ...request, limit: ERASE_LIMIT });
    this.#after = next;
    return next !== undefined;
  }

  async #begin(): Promise<true> {
    const { profiles, directory, losses } = this.#ports;
    if (isWorkspace(this.#scope)) {
      const spaces = spacesNow(directory);
      const request = { workspace: this.#scope, userIds: this.#userIds, spaces, after: this.#after };
      const erased = await profiles.erase(request);
      this.#after = erased.next;
      this.#tookMs = erased.tookMs;
      tellUndecided(erased.undecided, this.#ports);
      if (erased.unasked.length > 0) {
        await this.#keep(erased.unasked);
        this.#userIds = [...this.#userIds, ...erased.unasked];
        return true;
      }
      if (erased.isMore) return true;
    }
    await losses.eraseItems({ scope: this.#scope, userIds: this.#userIds });
    this.#isProfileGone = true;
    this.#after = undefined;
    return true;
  }
}

interface ErasedUsers {
  readonly scope: string;
  readonly userIds: readonly string[];
  readonly keep: (userIds: readonly string[]) => Promise<void>;
}

function isWorkspace(scope: string): boolean {
  return scope === workspaceOf(scope);
}
