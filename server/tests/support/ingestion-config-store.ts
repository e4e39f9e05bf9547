import type { Kind, Resources } from '../../model/resources.ts';
import {
  type Change,
  type Commit,
  type ConfigStore,
  type Creation,
  type Fit,
  type Page,
  type RemovalCheck,
  type Entry,
  StoreUnavailable,
} from '../../storage/config-store.ts';
import { toEntry } from '../../storage/resources/stored-entry.ts';
import { Watchers } from '../../storage/resources/watchers.ts';

type Destination = Resources['destinations'];
type Source = Resources['sources'];

/** Sources and destinations in memory, as ingestion and routing read them. It counts what is read. */
export class MemoryConfigStore implements ConfigStore {
  readonly #rows = new Map<Kind, Entry<Resources[Kind]>[]>();
  readonly #watchers = new Watchers();
  #sequence = 0;
  #version = 0;
  /** Calls of verbs that read. */
  reads = 0;
  /** How often its feed was asked for what it had not told yet … */
  refreshes = 0;
  /** … which is everything, while it is behind. */
  isBehind = false;
  readonly #untold: Commit[] = [];
  isUnavailable = false;

  get<K extends Kind>(kind: K, name: string): Promise<Resources[K] | undefined> {
    this.reads += 1;
    return this.#answer(this.#of(kind).find((row) => row.name === name)?.resource);
  }

  list<K extends Kind>(kind: K, parent: string, { after, limit }: Page): Promise<readonly Entry<Resources[K]>[]> {
    this.reads += 1;
    const below = this.#of(kind).filter((row) => parentOf(row.name) === parent);
    const page = below.filter(({ sequence }) => sequence > after).slice(0, limit);
    return this.#answer(page);
  }

  create<K extends Kind>(kind: K, resource: Resources[K]): Promise<Creation> {
    const rows = this.#of(kind);
    if (rows.some((row) => row.name === resource.name)) return this.#answer('name taken');
    this.#sequence += 1;
    const row = toEntry(this.#sequence, resource);
    this.#rows.set(kind, [...rows, row]);
    this.#tell(kind, resource.name, row);
    return this.#answer('created');
  }

  async update<K extends Kind>(kind: K, name: string, change: Fit<Resources[K]>): Promise<Resources[K] | undefined> {
    const current = await this.get(kind, name);
    if (current === undefined) return undefined;
    const changed = change(current, {
      get: (other, wanted) => this.#row(other, wanted)?.resource,
      all: (other) => this.#of(other).map(({ resource }) => resource),
      lengthOfTokens: () => 0,
    });
    const replaced = this.#of(kind).map((row) => (row.name === name ? toEntry(row.sequence, changed) : row));
    this.#rows.set(kind, replaced);
    this.#tell(kind, name, this.#row(kind, name));
    return changed;
  }

  async remove<K extends Kind>(kind: K, name: string, _check?: RemovalCheck<Resources[K]>): Promise<boolean> {
    const rows = this.#of(kind);
    this.#rows.set(
      kind,
      rows.filter((row) => row.name !== name),
    );
    this.#tell(kind, name, undefined);
    return rows.length !== this.#of(kind).length;
  }

  async watch<K extends Kind = Kind>(listener: (commit: Commit<K>) => void, kinds?: readonly K[]): Promise<() => void> {
    const rows = [...this.#rows].flatMap(([kind, own]) => own.map((row) => this.#commit(kind, row.name, row)));
    return this.#watchers.add(listener, kinds, rows);
  }

  refresh(): Promise<void> {
    this.refreshes += 1;
    if (!this.isUnavailable) this.#tellAll();
    return this.#answer(undefined);
  }

  /** Whether something was answered that the feed has not told. */
  get hasUntold(): boolean {
    return this.#untold.length > 0;
  }

  tokenByHash(): Promise<undefined> {
    return this.#answer(undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #row<K extends Kind>(kind: K, name: string): Entry<Resources[K]> | undefined {
    return this.#of(kind).find((row) => row.name === name);
  }

  #tell(kind: Kind, name: string, row: Entry<Resources[Kind]> | undefined): void {
    this.#untold.push(this.#commit(kind, name, row));
    if (!this.isBehind) this.#tellAll();
  }

  #tellAll(): void {
    for (const commit of this.#untold.splice(0)) this.#watchers.tell(commit);
  }

  #commit(kind: Kind, name: string, row: Entry<Resources[Kind]> | undefined): Commit {
    const workspace = kind === 'workspaces' ? '' : name.split('/').slice(0, 2).join('/');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a pair of kind and row
    return { workspace, version: (this.#version += 1), changes: [{ kind, name, row } as Change] };
  }

  #of<K extends Kind>(kind: K): Entry<Resources[K]>[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `create` fills a kind, with its own rows
    return (this.#rows.get(kind) ?? []) as Entry<Resources[K]>[];
  }

  #answer<T>(value: T): Promise<T> {
    return this.isUnavailable ? Promise.reject(new StoreUnavailable('the disk is full')) : Promise.resolve(value);
  }
}

function parentOf(name: string): string {
  return name.split('/').slice(0, -2).join('/');
}

const TIME = '2026-11-20T00:00:00.000Z';

export function sourceNamed(name: string, ...writeKeys: string[]): Source {
  return {
    name,
    parent: parentOf(name),
    id: '0123456789',
    display_name: name,
    catalog_name: 'catalog/sources/javascript',
    write_keys: writeKeys,
    library_config: { metrics_enabled: false, retry_queue: true, cross_domain_id_enabled: false, api_host: '' },
    labels: {},
    create_time: TIME,
  };
}

export function destinationNamed(name: string): Destination {
  return {
    name,
    parent: parentOf(name),
    display_name: name,
    enabled: true,
    connection_mode: 'CLOUD',
    config: [],
    create_time: TIME,
    update_time: TIME,
  };
}
