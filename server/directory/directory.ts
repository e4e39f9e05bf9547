import { compileComputations, type Computations } from '../audiences/computations.ts';
import type { Turns } from '../fairness/turns.ts';
import type { Undecided } from '../losses/undecided.ts';
import type { Target, Targets } from '../delivery/target.ts';
import type { Message } from '../model/message.ts';
import { type ErasuresParts, Erasures } from './erasures.ts';
import { isComputation, parentOf, workspaceOf } from '../model/resource-names.ts';
import type { Quota, Resources } from '../model/resources.ts';
import type { Change, Commit, ConfigStore, Row } from '../storage/config-store.ts';
import { Routes } from './routes.ts';
import type { SourceView } from './source-view.ts';
import { isSuppressed, type SuppressedUsers, type SuppressionList, Suppressions } from './suppressed-users.ts';
import type { FilterChain } from '../filters/chain.ts';
import { filterChain, NO_FILTERS } from '../filters/filters.ts';
import { settingsOf } from '../tracking/schema-settings.ts';
import { Children, type Connections, noteQuota, put, removedWorkspaces, type Rows } from './rows.ts';
import { isOfNotices } from '../destinations/kind.ts';
import { type Noticed, noticedAmong } from './noticed.ts';
import { compileTarget } from './target.ts';

/**
 * The configuration as events need it, compiled, and read without waiting. The storage's change feed keeps it: a change
 * is here before it is answered, so it holds for the next event and the next round (D-13).
 */
export interface Directory {
  sourceByWriteKey(writeKey: string): Resources['sources'] | undefined;
  /** Undefined when there is none. */
  source(name: string): SourceView | undefined;
  readonly target: Targets;
  /** The list of a workspace or of one source (D-12); undefined where it is empty. */
  suppressed(scope: string): SuppressionList | undefined;
  /** Another one after each deletion of users of a workspace; undefined while one is under way. */
  erasures(workspace: string): number | undefined;
  /** Undefined where a workspace has no limit. */
  readonly quota: (workspace: string) => Quota | undefined;
  /** All that stands in a workspace, as it is stored. */
  connections(workspace: string): Connections;
  /** What is computed in a workspace. */
  computations(workspace: string): Computations;
  /** Who hears notices of a workspace, and what they are about; undefined where nobody does. */
  noticed(workspace: string): Noticed | undefined;
  /** Full names of all that have anything in them. */
  workspaces(): readonly string[];
  /** The last commit of a workspace that is known here; 0 when there is no such workspace. */
  version(workspace: string): number;
  /** Resolves once all is known here that any router answered before (NODE-5). */
  refresh(): Promise<void>;
}

export interface DirectoryParts extends ErasuresParts {
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
}

/** Resolves once all that stands in the storage is known. */
export async function openDirectory(
  resources: Pick<ConfigStore, 'watch' | 'refresh'>,
  parts: DirectoryParts,
): Promise<Directory> {
  const workspaces = new Map<string, WorkspaceDirectory>();
  const sourcesByKey = new Map<string, string>();
  const quotas = new Map<string, Quota>();
  const workspace = (name: string): WorkspaceDirectory => {
    const known = workspaces.get(name) ?? new WorkspaceDirectory(name, { ...parts, sourcesByKey });
    workspaces.set(name, known);
    return known;
  };
  const of = (name: string): WorkspaceDirectory | undefined => workspaces.get(workspaceOf(name));
  await resources.watch((commit) => {
    if (commit.workspace !== '') return workspace(commit.workspace).apply(commit);
    for (const change of commit.changes) noteQuota(quotas, change);
    for (const name of removedWorkspaces(commit)) {
      workspaces.get(name)?.clear();
      workspaces.delete(name);
    }
  });
  return {
    sourceByWriteKey: (writeKey) => {
      const name = sourcesByKey.get(writeKey);
      return name === undefined ? undefined : of(name)?.storedSource(name);
    },
    source: (name) => of(name)?.source(name),
    target: (destination, message) => of(destination)?.target(destination, message),
    suppressed: (scope) => of(scope)?.suppressions.of(scope),
    erasures: (name) => workspaces.get(name)?.erasures.ended,
    quota: (name) => quotas.get(name),
    noticed: (name) => workspaces.get(name)?.noticed(),
    connections: (name) => workspaces.get(name)?.connections() ?? NOTHING,
    computations: (name) => workspaces.get(name)?.computations() ?? compileComputations(name, NOTHING),
    workspaces: () => [...workspaces.keys()],
    version: (name) => workspaces.get(name)?.version ?? 0,
    refresh: () => resources.refresh(),
  };
}

const NOTHING = { audiences: [], traits: [], sources: [], destinations: [] };

interface Parts extends DirectoryParts {
  /** Of all workspaces; each adds and removes the keys of its own sources. */
  readonly sourcesByKey: Map<string, string>;
}

/**
 * The rows of one workspace as the change feed tells them, and what was compiled of them at first use. What is done with the events of a source is
 * compiled anew for each version; routes, targets and filters, which cost more, are kept until a row that they were made of changes.
 */
class WorkspaceDirectory {
  readonly name: string;
  version = 0;
  readonly suppressions = new Suppressions();
  readonly erasures: Erasures;
  readonly #parts: Parts;
  readonly #sources: Rows<'sources'> = new Map();
  readonly #plans: Rows<'tracking-plans'> = new Map();
  /** Below each source, and below each destination. */
  readonly #destinations = new Children<'destinations'>();
  readonly #filters = new Children<'filters'>();
  readonly #routes = new Routes(this.#destinations, (destination) => this.#chainOf(destination));
  readonly #audiences = new Children<'audiences'>();
  readonly #computedTraits = new Children<'computed-traits'>();
  readonly #profileBeginnings = new Children<'profile-beginnings'>();
  /** Of the present version. */
  readonly #views = new Map<string, SourceView>();
  readonly #targets = new Map<string, Target | undefined>();
  readonly #chains = new Map<string, FilterChain>();
  /** Of the present version; undefined where it is to be made. */
  #noticed: { readonly now: Noticed | undefined } | undefined;
  #computations: Computations | undefined;

  constructor(name: string, parts: Parts) {
    this.name = name;
    this.#parts = parts;
    this.erasures = new Erasures(parts);
  }

  apply({ version, changes }: Commit): void {
    this.version = version;
    this.#views.clear();
    this.#noticed = undefined;
    for (const change of changes) this.#apply(change);
  }

  /** To be called when the workspace was removed. */
  clear(): void {
    for (const { resource } of this.#sources.values()) this.#freeKeys(resource);
  }

  storedSource(name: string): Resources['sources'] | undefined {
    return this.#sources.get(name)?.resource;
  }

  source(name: string): SourceView | undefined {
    const known = this.#views.get(name);
    if (known !== undefined) return known;
    const source = this.storedSource(name);
    if (source === undefined) return undefined;
    const view = this.#compileSource(source);
    this.#views.set(name, view);
    return view;
  }

  connections(): Connections {
    const sources = this.#storedSources();
    return { sources, destinations: sources.flatMap(({ name }) => this.#destinations.below(name)) };
  }

  target(destination: string, message?: Message): Target | undefined {
    const target = this.#targetOf(destination);
    return target === undefined || message === undefined || this.#hears(target, destination, message)
      ? target
      : undefined;
  }

  /**
   * What was told is not for another destination that was given its name since, nor one that was taken off (AUD-8), and not sent
   * of a user who was suppressed since (AUD-9): not even once what told it is deleted. Of a user who was deleted since, nothing is.
   */
  #hears({ createTime }: Target, destination: string, message: Message): boolean {
    const { source, event } = message;
    if (this.erasures.users.has(message)) return false;
    if (!isComputation(source)) return true;
    const { toldTo = createTime, userId = '' } = event;
    if (toldTo !== createTime || isSuppressed(this.suppressions.of(this.name), userId)) return false;
    return this.computations().get(source)?.destinations.includes(destination) ?? true;
  }

  #targetOf(destination: string): Target | undefined {
    if (this.#targets.has(destination)) return this.#targets.get(destination);
    const one = this.#destinations.get(destination);
    const target = one?.enabled === true ? compileTarget(one, this.#chainOf(destination), this.#parts) : undefined;
    this.#targets.set(destination, target);
    return target;
  }

  computations(): Computations {
    this.#computations ??= compileComputations(this.name, {
      audiences: this.#audiences.below(this.name),
      traits: this.#computedTraits.below(this.name),
      beginnings: this.#profileBeginnings.below(this.name),
    });
    return this.#computations;
  }

  noticed(): Noticed | undefined {
    this.#noticed ??= {
      now: noticedAmong(this.#storedSources(), {
        isHeard: (source) => Boolean(this.source(source)?.routes.length),
        destinations: (source) => this.#destinations.below(source),
        audiences: () => this.#audiences.below(this.name),
      }),
    };
    return this.#noticed.now;
  }

  #storedSources(): Resources['sources'][] {
    return Array.from(this.#sources.values(), ({ resource }) => resource);
  }

  /** Each list that events of a source are held to. */
  #suppressedFor(source: string): SuppressedUsers[] {
    return [this.name, source].flatMap((scope) => this.suppressions.of(scope) ?? []);
  }

  #apply(change: Change): void {
    switch (change.kind) {
      case 'sources':
        return this.#applySource(change.name, change.row);
      case 'destinations':
        this.#destinations.put(change.name, change.row);
        return this.#forget(change.name);
      case 'filters':
        this.#filters.put(change.name, change.row);
        return this.#forget(parentOf(change.name));
      case 'tracking-plans':
        return put(this.#plans, change.name, change.row);
      case 'regulations':
        this.erasures.put(change.name, change.row);
        return this.suppressions.put(change.name, change.row);
      case 'audiences':
        this.#computations = undefined;
        return this.#audiences.put(change.name, change.row);
      case 'computed-traits':
        this.#computations = undefined;
        return this.#computedTraits.put(change.name, change.row);
      case 'profile-beginnings':
        this.#computations = undefined;
        return this.#profileBeginnings.put(change.name, change.row);
      case 'workspaces':
      case 'access-tokens':
      case 'computation-keys':
      case 'former-keys':
      case 'removed-workspaces':
      case 'audit-entries':
        return undefined;
    }
  }

  #applySource(name: string, row: Row<Resources['sources']> | undefined): void {
    const before = this.storedSource(name);
    if (before !== undefined) this.#freeKeys(before);
    // What the router says, nobody else does.
    const keys = row === undefined || isOfNotices(row.resource) ? [] : row.resource.write_keys;
    for (const key of keys) this.#parts.sourcesByKey.set(key, name);
    put(this.#sources, name, row);
    if (row === undefined) this.#routes.forgetSource(name);
  }

  #freeKeys({ name, write_keys: keys }: Resources['sources']): void {
    const { sourcesByKey } = this.#parts;
    for (const key of keys) if (sourcesByKey.get(key) === name) sourcesByKey.delete(key);
  }

  #forget(destination: string): void {
    this.#chains.delete(destination);
    this.#targets.delete(destination);
    this.#routes.forget(destination);
  }

  #compileSource(source: Resources['sources']): SourceView {
    const { name, tracking_plan: plan = '' } = source;
    return {
      name,
      workspace: this.name,
      isOfNotices: isOfNotices(source),
      version: this.version,
      suppressed: this.#suppressedFor(name),
      plan: this.#plans.get(plan)?.resource,
      settings: settingsOf(source),
      ...this.#routes.of(name),
    };
  }

  #chainOf(destination: string): FilterChain {
    const known = this.#chains.get(destination);
    if (known !== undefined) return known;
    const chain = filterChain(this.#filters.below(destination), this.#parts.undecided);
    if (chain !== NO_FILTERS) this.#chains.set(destination, chain);
    return chain;
  }
}
