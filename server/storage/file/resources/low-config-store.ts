import { basename, join } from 'node:path';
import type { Kind, Resources, AccessToken } from '../../../model/resources.ts';
import {
  type Author,
  type Change,
  type Commit,
  type ConfigStore,
  type Creation,
  type Fit,
  type Page,
  type RemovalCheck,
  type Entry,
  StoreUnavailable,
} from '../../config-store.ts';
import type { Log } from '../../../ports/log.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { Resealing } from '../../storage.ts';
import type { Disk } from './disk.ts';
import type { Draft } from '../../resources/draft.ts';
import { keysOf, UniqueKeys } from '../../resources/unique-keys.ts';
import { openedText, type SnapshotFile } from '../../snapshot.ts';
import type { Tables } from '../../resources/tables.ts';
import type { Versions } from '../../versions.ts';
import { besideOf, draftsOf } from './shard-file.ts';
import { newWorkspaces, refuseLostFiles } from './lost-files.ts';
import { Shard, type ShardOptions } from './shard.ts';
import { homeOf, ResourceReads } from '../../resources/resource-reads.ts';
import { Watchers } from '../../resources/watchers.ts';
import { messageOf } from '../../../thrown.ts';

export interface LowConfigStoreOptions {
  readonly folder: string;
  /** What stood in it when the store was opened. */
  readonly names: ReadonlySet<string>;
  readonly disk: Disk;
  readonly log: Log;
  readonly versions: Versions;
  readonly keyring: Keyring;
}

export const ROOT_FILE = 'root.json';

/** Tokens and workspaces in one file, and what is below a workspace in a file of its own. */
export class LowConfigStore implements ConfigStore {
  readonly #options: LowConfigStoreOptions;
  readonly #keys = new UniqueKeys();
  readonly #shards = new Map<string, Shard>();
  readonly #watchers = new Watchers();
  readonly #reads: ResourceReads;
  readonly root: Shard;
  /** Workspaces whose files were not there. */
  #withoutFile: Shard[] = [];
  /** Files of workspaces whose creation failed; what is left of them the next start removes. */
  readonly #unsettled: string[] = [];
  #closed = false;

  constructor(options: LowConfigStoreOptions) {
    this.#options = options;
    this.root = this.#shard(ROOT_FILE, '', (changes, write) => this.#withFiles(changes, write));
    this.#reads = new ResourceReads({
      keys: this.#keys,
      stateOf: (home) => this.#shardOf(home)?.state,
      homes: () => ['', ...Array.from(this.#shards.values(), (shard) => shard.home)],
    });
  }

  /** Reads every file; to be awaited before anything else. */
  async load(): Promise<void> {
    await this.root.load();
    const workspaces = this.root.state.tables.workspaces.children('');
    const shards = workspaces.map(({ resource }) => this.#shardOfWorkspace(resource));
    const found = await Promise.all(shards.map((shard) => shard.load()));
    this.#withoutFile = shards.filter((_shard, index) => found[index] === false);
    if (this.root.isComplete) refuseLostFiles(this.#withoutFile, this.#options);
    for (const shard of [this.root, ...shards]) {
      this.#claimLoaded(shard);
      this.#tellLost(shard);
      this.#options.versions.raise(shard.home);
    }
  }

  /** The last number that was given to a row of any file. */
  get sequence(): number {
    return Math.max(...this.#all.map(({ state }) => state.sequence));
  }

  /** A file at a time is written anew, in the turn of its changes. */
  get resealing(): Resealing {
    return {
      left: async () => this.#all.reduce((sum, { outdated }) => sum + outdated, 0),
      step: async () => {
        const shard = this.#all.find(({ outdated }) => outdated > 0);
        const count = shard?.outdated ?? 0;
        await shard?.rewrite();
        return count;
      },
    };
  }

  get #all(): readonly Shard[] {
    return [this.root, ...this.#shards.values()];
  }

  /** Clears what a crash left beside the files; to be called once, before the first change. */
  async settle(): Promise<void> {
    await Promise.all(this.#all.map((shard) => shard.settle()));
  }

  /** Makes the files that earlier versions did not make yet, or that were given up; the first write of a new store as well. */
  async complete(): Promise<void> {
    for (const shard of this.#withoutFile.splice(0)) await shard.writeNow();
    if (!this.root.isComplete) await this.root.complete();
  }

  /** Removes the file of a workspace that was removed. */
  async removeFile(id: string): Promise<void> {
    const file = join(this.#options.folder, `${id}.json`);
    await this.#options.disk.remove([file, ...draftsOf(file), ...besideOf(file)]);
    await this.root.inTurn(async () => this.root.forget(id));
  }

  /** Its files with all that was answered as done, as they would be written now. */
  capture(): readonly SnapshotFile[] {
    return [this.root, ...this.#shards.values()].map((shard) => {
      const text = shard.capture();
      return { name: basename(shard.file), open: () => openedText(text()) };
    });
  }

  async get<K extends Kind>(kind: K, name: string): Promise<Resources[K] | undefined> {
    return this.#reads.get(kind, name);
  }

  async list<K extends Kind>(kind: K, parent: string, page: Page): Promise<readonly Entry<Resources[K]>[]> {
    return this.#reads.list(kind, parent, page);
  }

  async create<K extends Kind>(
    kind: K,
    resource: Resources[K],
    most?: number,
    fit?: Fit<Resources[K]>,
    author?: Author,
  ): Promise<Creation> {
    this.#refuseWhenClosed();
    if (kind === 'workspaces' && 'id' in resource) this.#refuseUsedId(resource.id);
    const shard = this.#shardOf(homeOf(resource.name));
    return shard?.change((draft) => draft.create(kind, resource, most, fit, author)) ?? 'parent missing';
  }

  async update<K extends Kind>(
    kind: K,
    name: string,
    change: Fit<Resources[K]>,
    author?: Author,
  ): Promise<Resources[K] | undefined> {
    this.#refuseWhenClosed();
    return this.#shardOf(homeOf(name))?.change((draft) => draft.update(kind, name, change, author));
  }

  async remove<K extends Kind>(
    kind: K,
    name: string,
    check?: RemovalCheck<Resources[K]>,
    author?: Author,
  ): Promise<boolean> {
    this.#refuseWhenClosed();
    const remove = (draft: Draft, tablesBelow?: Tables): boolean =>
      draft.remove(kind, name, check, author, tablesBelow);
    if (kind === 'workspaces') return this.#removeWorkspace(name, remove);
    return this.#shardOf(homeOf(name))?.change((draft) => remove(draft)) ?? false;
  }

  async watch<K extends Kind = Kind>(listener: (commit: Commit<K>) => void, kinds?: readonly K[]): Promise<() => void> {
    return this.#watchers.add(listener, kinds, this.#reads.standing(this.#options.versions.of, kinds));
  }

  /** The feed has told of each change before it was answered, and nobody else has the folder. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  async tokenByHash(hash: string): Promise<AccessToken | undefined> {
    return this.#reads.tokenByHash(hash);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#all.map((shard) => shard.idle()));
  }

  /**
   * In the turn of the workspace's own file, so that no create below it can be answered after the removal: first the
   * row, which is the removal, then the file, which a crash may leave over.
   */
  async #removeWorkspace(name: string, remove: (draft: Draft, tablesBelow?: Tables) => boolean): Promise<boolean> {
    const shard = this.#shardOf(name);
    if (shard === undefined) return this.root.change((draft) => remove(draft));
    return shard.inTurn(async () => {
      const removed = await this.root.change((draft) => remove(draft, shard.state.tables));
      if (removed) await this.#retire(shard);
      return removed;
    });
  }

  async #retire(shard: Shard): Promise<void> {
    const { sources, 'former-keys': former } = shard.state.tables;
    for (const { resource } of sources.all()) this.#keys.free(keysOf(resource));
    for (const { name } of former.all()) this.#keys.former.remove(name);
    shard.retire();
    const id = basename(shard.file, '.json');
    this.#shards.delete(id);
    try {
      await this.removeFile(id);
    } catch (error) {
      const reason = messageOf(error);
      this.#options.log.warn({ file: shard.file, reason }, 'file of a removed workspace stays until the next start');
    }
  }

  /** A workspace has its file before it is in the root: one that is there without a file has lost it. */
  async #withFiles(changes: readonly Change[], write: () => Promise<void>): Promise<void> {
    const made = newWorkspaces(changes).filter(({ id }) => !this.#shards.has(id));
    try {
      if (made.length > 0) await this.#removeUnsettled();
      for (const workspace of made) await this.#shardOfWorkspace(workspace).writeNow();
      await write();
    } catch (error) {
      for (const { id } of made) this.#shards.delete(id);
      this.#unsettled.push(...made.map(({ id }) => join(this.#options.folder, `${id}.json`)));
      throw error;
    }
  }

  /** A write that failed may be on the disk all the same: until the root was written again without them, it may need their files. */
  async #removeUnsettled(): Promise<void> {
    if (this.#unsettled.length === 0) return;
    await this.root.writeNow();
    await this.#options.disk.remove(this.#unsettled.splice(0));
  }

  /** The file of a home; undefined when there is no such workspace. */
  #shardOf(home: string): Shard | undefined {
    if (home === '') return this.root;
    const workspace = this.root.state.tables.workspaces.get(home);
    return workspace && this.#shardOfWorkspace(workspace.resource);
  }

  #shardOfWorkspace({ id, name }: Resources['workspaces']): Shard {
    const known = this.#shards.get(id);
    if (known !== undefined) return known;
    const shard = this.#shard(`${id}.json`, name);
    this.#shards.set(id, shard);
    return shard;
  }

  #shard(fileName: string, home: string, around?: ShardOptions['around']): Shard {
    const { folder, names, disk, keyring } = this.#options;
    // Two reads in vain for each workspace would double the time of a start.
    const left = draftsOf(fileName).filter((name) => names.has(name));
    const paths = { file: join(folder, fileName), left: left.map((name) => join(folder, name)) };
    const onCommit = (changes: readonly Change[]): void => {
      const version = this.#options.versions.raise(home);
      for (const { kind, name, row } of changes) {
        if (kind === 'workspaces' && row === undefined) this.#options.versions.forget(name);
      }
      this.#watchers.tell({ workspace: home, version, changes });
    };
    const own = around === undefined ? {} : { around };
    return new Shard({ ...paths, ...own, home, disk, keyring, keys: this.#keys, onCommit });
  }

  #claimLoaded(shard: Shard): void {
    const { sources, 'access-tokens': tokens, 'former-keys': former } = shard.state.tables;
    for (const { name } of former.all()) this.#keys.former.put(name);
    for (const { name, resource } of [...sources.all(), ...tokens.all()]) {
      if (this.#keys.claim(keysOf(resource), name)) continue;
      throw new Error(`${shard.file}: a key of ${name} belongs to another resource too. Remove one of them.`);
    }
  }

  #tellLost({ file, lostEntries: entries }: Shard): void {
    if (entries > 0)
      this.#options.log.warn({ file, entries }, 'the older entries of the audit are gone with their file');
  }

  /** The id names the workspace's file, so it may not be given twice, nor lead out of the folder. */
  #refuseUsedId(id: string): void {
    const { tables, removed } = this.root.state;
    if (!/^[0-9a-f]{10}$/.test(id))
      throw new Error(`the id of a workspace is 10 hex digits, got ${JSON.stringify(id)}`);
    const used = tables.workspaces.children('').some(({ resource }) => resource.id === id);
    if (used || removed.includes(id)) throw new Error(`the workspace id ${id} is in use`);
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new StoreUnavailable('the config store is closed');
  }
}
