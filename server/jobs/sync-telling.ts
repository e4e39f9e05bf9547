import type { Computation } from '../audiences/computations.ts';
import type { Subject } from '../audiences/identify-call.ts';
import type { Directory } from '../directory/directory.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Sync } from '../model/sync.ts';
import { type Clock, momentOf } from '../ports/clock.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { ProfileStorage } from '../storage/profile-storage.ts';
import type { TellingStorage, TellRequest, ToldPage } from '../storage/telling-storage.ts';
import { changedUsers, PAGE } from './changed-users.ts';
import { cursorAfter, cursorPassing, leftOutOf } from './sync-cursor.ts';
import type { SyncNext } from './audience-runs.ts';
import { tellingsOf } from './tellings-of.ts';
import { TellingRoom } from './telling-room.ts';
import { type Range, ToldPlaces } from './told-places.ts';

export interface TellingPorts {
  readonly config: Pick<ConfigStore, 'get'>;
  readonly directory: Pick<Directory, 'computations' | 'suppressed' | 'target'>;
  readonly profiles: Pick<ProfileStorage, 'results' | 'standing'>;
  readonly tellings: Pick<TellingStorage, 'told' | 'tell' | 'waiting'>;
  readonly clock: Clock;
  /** Told that deliveries of a destination are due on disk. */
  readonly wake: (destination: string) => void;
}

/** Tells the destinations of one sync, once it is computed, what has changed: a page of users of one destination in each step. */
export class SyncTelling {
  readonly #ports: TellingPorts;
  readonly #room: TellingRoom;
  readonly #places = new ToldPlaces();
  #cameOnAt: number;
  /** It never changes; read with the first page. */
  #workspaceId: string | undefined;

  constructor(ports: TellingPorts, startedAt: number) {
    this.#ports = ports;
    this.#room = new TellingRoom(ports.tellings);
    this.#cameOnAt = startedAt;
  }

  /** When this router computed the sync, or told of it last; else when it began. By the wall. */
  get cameOnAt(): number {
    return this.#cameOnAt;
  }

  /** To be called when this router has computed the sync. */
  begin(): void {
    this.#cameOnAt = this.#ports.clock.now();
  }

  /** One page, of the first destination that has room: one that takes nothing does not keep the others from hearing. */
  async step(computation: Computation, sync: Sync): Promise<SyncNext> {
    const { destinations, after } = sync.cursor;
    const [first] = destinations;
    if (first === undefined) return this.#tellHeldBack(computation, sync);
    for (const destination of destinations) {
      if (!this.#hears(computation, destination)) return this.#passOver(sync, destination);
      if (!(await this.#room.isAt(destination))) continue;
      const isStored = destination === first && after !== undefined;
      const stored = isStored ? { after, leftOut: leftOutOf(sync.cursor, destination) } : undefined;
      const range = this.#places.behind(destination, stored);
      return this.#tellRange(computation, sync, range);
    }
    return this.#room.waitMs();
  }

  /** It catches up with the next run after it was enabled again, or at once where the audience is saved then. */
  async #passOver(sync: Sync, destination: string): Promise<SyncNext> {
    const { computation } = sync;
    const { erasures } = await this.#ports.tellings.told({ destination, computation, limit: 1 });
    if (!this.#places.isUpToDate(erasures)) return 0;
    return this.#tell(sync, { destination, erasures });
  }

  async #tellHeldBack(computation: Computation, sync: Sync): Promise<SyncNext> {
    const places = this.#places;
    const range = places.heldBack();
    if (range === undefined) return places.nextRoundMs() ?? { state: 'DONE' };
    const isToHear = this.#hears(computation, range.destination);
    if (isToHear && (await this.#room.isAt(range.destination))) return this.#tellRange(computation, sync, range);
    places.passOver(isToHear ? 'for now' : 'for good');
    return 0;
  }

  async #tellRange(computation: Computation, sync: Sync, range: Range): Promise<SyncNext> {
    const { tellings, directory, clock } = this.#ports;
    const { name } = computation;
    const { destination, after } = range;
    const { told, erasures } = await tellings.told({ destination, computation: name, after, limit: PAGE });
    if (!this.#places.isUpToDate(erasures)) return 0;
    const found = await changedUsers(computation, sync.number, { told, after }, this.#ports);
    if (found === undefined) return { state: 'FAILED', reason: 'what the run found is no longer kept' };
    const { changed, ...page } = found;
    const suppressed = directory.suppressed(workspaceOf(name));
    const about = await this.#about(computation);
    const to = { about, destination, target: directory.target(destination), suppressed, sync: sync.number };
    const chosen = await tellingsOf(changed, { ...to, at: momentOf(clock) });
    return this.#tell(sync, { ...page, ...chosen, destination, erasures, range });
  }

  async #about(computation: Computation): Promise<Subject> {
    const name = workspaceOf(computation.name);
    this.#workspaceId ??= (await this.#ports.config.get('workspaces', name))?.id ?? '';
    return { ...computation, workspace: { name, id: this.#workspaceId } };
  }

  async #tell({ computation, number, cursor: before }: Sync, page: Page): Promise<SyncNext> {
    const { tellings, clock, wake } = this.#ports;
    const { range, upTo, destination, erasures, tellings: wanted = [], forgotten = [], leftOut = [] } = page;
    const leftOutBefore = range?.leftOut ?? 0;
    const compared = range && { destination, upTo, leftOutBefore, leftOut: leftOut.length };
    const cursor = compared === undefined ? cursorPassing(before, destination) : cursorAfter(before, compared);
    // What waits for those who are left out does not hold any more.
    const silenced = [...(page.silenced ?? []), ...leftOut];
    const now = clock.now();
    const request = { destination, erasures, tellings: wanted, forgotten, silenced, cursor, now };
    const answer = await tellings.tell({ computation, sync: number, ...request });
    if (answer === 'over') return 'over';
    if (answer === 'stale') return 0;
    this.#cameOnAt = now;
    // What was behind a call that is cancelled is due as well.
    if (wanted.length + forgotten.length + silenced.length > answer.heldBack.length) wake(destination);
    if (range !== undefined)
      this.#places.compared(range, { upTo, isHeld: answer.heldBack.length > 0, leftOut: leftOut.length });
    return 0;
  }

  /** It may have been taken off, or disabled, since the run began. */
  #hears({ destinations }: Computation, destination: string): boolean {
    return destinations.includes(destination) && this.#ports.directory.target(destination) !== undefined;
  }
}

/** One page of tellings; without a range nothing is compared, and its destination is passed over. */
interface Page extends Pick<ToldPage, 'erasures'>, Partial<Pick<TellRequest, 'tellings' | 'forgotten' | 'silenced'>> {
  readonly destination: string;
  readonly range?: Range;
  /** Who is told nothing, in their order. */
  readonly leftOut?: readonly string[];
  /** The last user that was compared; absent where nobody is behind. */
  readonly upTo?: string | undefined;
}
