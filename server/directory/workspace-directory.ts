import { compileComputations, type Computations } from '../audiences/computations.ts';
import type { Sending, Target } from '../delivery/target.ts';
import { isOfNotices } from '../destinations/kind.ts';
import type { Turns } from '../fairness/turns.ts';
import type { FilterChain } from '../filters/chain.ts';
import { filterChain, NO_FILTERS } from '../filters/filters.ts';
import type { Undecided } from '../losses/undecided.ts';
import { isComputation, parentOf } from '../model/resource-names.ts';
import type { Resources } from '../model/resources.ts';
import type { Change, Commit, Entry } from '../storage/config-store.ts';
import { settingsOf } from '../tracking/schema-settings.ts';
import { type Connections, DestinationRows } from './destination-rows.ts';
import { Erasures, type ErasuresParts } from './erasures.ts';
import { type Noticed, noticedTo } from './noticed.ts';
import { Routes } from './routes.ts';
import { Children, mark, put, type Rows } from './rows.ts';
import type { SourceView } from './source-view.ts';
import { isSuppressed, type SuppressedUsers, Suppressions } from './suppressed-users.ts';
import { compileTarget } from './target.ts';

export interface DirectoryParts extends ErasuresParts {
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
}

interface Parts extends DirectoryParts {
  /** Of all workspaces; each adds and removes the keys of its own sources. */
  readonly sourcesByKey: Map<string, string>;
}

/**
 * The rows of one workspace as the change feed tells them, and what was compiled of them at first use. What is done with the events of a source is
 * compiled anew for each version; routes, targets and filters, which cost more, are kept until a row that they were made of changes.
 */
export class WorkspaceDirectory {
  readonly name: string;
  version = 0;
  readonly suppressions = new Suppressions();
  readonly erasures: Erasures;
  readonly #parts: Parts;
  readonly #sources: Rows<'sources'> = new Map();
  /** Full names of those that notices come from. */
  readonly #ofNotices = new Set<string>();
  readonly #plans: Rows<'tracking-plans'> = new Map();
  /** Below each source, and below each destination. */
  readonly #destinations = new DestinationRows();
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
    const rows = this.#destinations;
    return { sourceCount: this.#sources.size, webhooks: rows.webhooks(), destination: (name) => rows.get(name) };
  }

  target(destination: string, sending?: Sending): Target | undefined {
    const target = this.#targetOf(destination);
    return target === undefined || sending === undefined || this.#hears(target, destination, sending)
      ? target
      : undefined;
  }

  /**
   * What was told is not for another destination that was given its name since, nor one that was taken off (AUD-8), and not sent
   * of a user who was suppressed since (AUD-9): not even once what told it is deleted. Of a user who was deleted since, nothing is.
   */
  #hears({ createTime }: Target, destination: string, sending: Sending): boolean {
    const { source, event } = sending.message;
    if (this.erasures.users.has(sending)) return false;
    if (!isComputation(source)) return true;
    const { toldTo = createTime, userId = '' } = event;
    if (toldTo !== createTime || isSuppressed(this.suppressions.of(this.name), userId)) return false;
    return this.computations().get(source)?.destinations.includes(destination) ?? true;
  }

  #targetOf(destination: string): Target | undefined {
    if (this.#targets.has(destination)) return this.#targets.get(destination);
    const one = this.#destinations.get(destination);
    // Of one that is gone nothing would ever be forgotten.
    if (one === undefined) return undefined;
    const target = one.enabled ? compileTarget(one, this.#chainOf(destination), this.#parts) : undefined;
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
    this.#noticed ??= { now: this.#compileNoticed() };
    return this.#noticed.now;
  }

  #compileNoticed(): Noticed | undefined {
    const heard = [...this.#ofNotices].filter((name) => Boolean(this.source(name)?.routes.length));
    const to = heard.flatMap((name) => this.storedSource(name) ?? []);
    return noticedTo(to, this.#ofNotices, this.#destinations, this.#audiences.below(this.name));
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

  #applySource(name: string, row: Entry<Resources['sources']> | undefined): void {
    const [before, source] = [this.storedSource(name), row?.resource];
    if (before !== undefined) this.#freeKeys(before);
    const ofNotices = source !== undefined && isOfNotices(source);
    mark(this.#ofNotices, name, ofNotices);
    // What the router says, nobody else does.
    const keys = source === undefined || ofNotices ? [] : source.write_keys;
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
