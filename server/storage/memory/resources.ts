import type { Kind } from '../../model/resources.ts';
import { type Commit, type ConfigStore, StoreUnavailable } from '../config-store.ts';
import type { AcceptRequest } from '../delivery-storage.ts';
import type { Draft } from '../resources/draft.ts';
import { changesOf, Replica } from '../resources/replica.ts';
import { Watchers } from '../resources/watchers.ts';
import { refuseStale } from '../versions.ts';
import type { MemoryOptions } from './rows.ts';

/** What all nodes see of the resources. */
export class MemoryResources {
  readonly #options: MemoryOptions;
  readonly #handles = new Set<MemoryConfigStore>();
  readonly replica = new Replica();
  #sequence = 0;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  open(): MemoryConfigStore {
    const handle = new MemoryConfigStore(this);
    this.#handles.add(handle);
    return handle;
  }

  close(handle: MemoryConfigStore): void {
    this.#handles.delete(handle);
  }

  /** Nothing is awaited in here, so changes come one after another. */
  change<T>(by: MemoryConfigStore, home: string, apply: (draft: Draft) => T): T {
    const draft = this.replica.draft(home, this.#sequence);
    try {
      const answer = apply(draft);
      draft.dropped();
      if (draft.changes.size > 0) this.#commit(by, home, draft);
      return answer;
    } catch (error) {
      draft.dropped();
      throw error;
    }
  }

  refuseStale(request: Pick<AcceptRequest, 'workspace' | 'version'>): void {
    refuseStale(request, this.#options.versionOf ?? this.replica.versions.of);
  }

  /** Whoever made it hears of it before it is answered; the others when they will. */
  #commit(by: MemoryConfigStore, home: string, { changes, state }: Draft): void {
    this.#sequence = state.sequence;
    const commit = { workspace: home, version: this.replica.versions.last + 1, changes: [...changes.values()] };
    this.replica.apply(commit);
    const { hearLater = (hear) => hear() } = this.#options;
    for (const handle of this.#handles) {
      handle.untold.push(commit);
      if (handle === by) handle.hear();
      else hearLater(() => handle.hear());
    }
  }
}

/** The resources, as one node has them open. */
export class MemoryConfigStore implements ConfigStore {
  readonly #all: MemoryResources;
  readonly #watchers = new Watchers();
  /** What this node has not heard of yet. */
  readonly untold: Commit[] = [];
  readonly create: ConfigStore['create'];
  readonly update: ConfigStore['update'];
  readonly remove: ConfigStore['remove'];
  readonly get: ConfigStore['get'];
  readonly list: ConfigStore['list'];
  #isClosed = false;

  constructor(all: MemoryResources) {
    this.#all = all;
    const { reads } = all.replica;
    const change = async <T>(home: string, apply: (draft: Draft) => T): Promise<T> => {
      if (this.#isClosed) throw new StoreUnavailable('the config store is closed');
      return all.change(this, home, apply);
    };
    ({ create: this.create, update: this.update, remove: this.remove } = changesOf(all.replica, change));
    this.get = async (kind, name) => reads.get(kind, name);
    this.list = async (kind, parent, page) => reads.list(kind, parent, page);
  }

  hear(): void {
    for (const commit of this.untold.splice(0)) this.#watchers.tell(commit);
  }

  async watch<K extends Kind = Kind>(listener: (commit: Commit<K>) => void, kinds?: readonly K[]): Promise<() => void> {
    this.hear();
    const { reads, versions } = this.#all.replica;
    return this.#watchers.add(listener, kinds, reads.standing(versions.of, kinds));
  }

  async refresh(): Promise<void> {
    this.hear();
  }

  async tokenByHash(hash: string) {
    return this.#all.replica.reads.tokenByHash(hash);
  }

  /** Throws StaleRouting once this node has heard of the newer version. */
  refuseStale(request: Pick<AcceptRequest, 'workspace' | 'version'>): void {
    try {
      this.#all.refuseStale(request);
    } catch (error) {
      this.hear();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#all.close(this);
  }
}
