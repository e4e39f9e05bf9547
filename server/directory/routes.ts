import { calledAs, isWebhooks } from '../destinations/kind.ts';
import type { FilterChain } from '../filters/chain.ts';
import { parentOf } from '../model/resource-names.ts';
import type { Destination } from '../model/resources.ts';
import type { Entry } from '../storage/config-store.ts';
import type { DestinationRows } from './destination-rows.ts';
import type { Route, SourceView } from './source-view.ts';

type Lists = Pick<SourceView, 'routes' | 'undeliverable'>;

/** Of a destination; one that is not enabled goes nowhere. */
type Compiled = { readonly route?: Route; readonly undeliverable?: Destination };

/**
 * Where events of each source go, compiled at first use. A list is kept until a destination of its source changes, or a filter of one, and
 * of the others what was compiled: a source may have tens of thousands (SAFE-2).
 */
export class Routes {
  readonly #destinations: Pick<DestinationRows, 'below'>;
  readonly #chainOf: (destination: string) => FilterChain;
  /** By source. */
  readonly #lists = new Map<string, Lists>();
  readonly #compiled = new Map<string, Compiled>();

  constructor(destinations: Pick<DestinationRows, 'below'>, chainOf: (destination: string) => FilterChain) {
    [this.#destinations, this.#chainOf] = [destinations, chainOf];
  }

  of(source: string): Lists {
    const known = this.#lists.get(source);
    if (known !== undefined) return known;
    const compiled = this.#destinations.below(source).map((row) => this.#of(row));
    const lists = {
      routes: compiled.flatMap(({ route = [] }) => route),
      undeliverable: compiled.flatMap(({ undeliverable = [] }) => undeliverable),
    };
    this.#lists.set(source, lists);
    return lists;
  }

  /** The destination has changed, or a filter of it, or it is gone. */
  forget(destination: string): void {
    this.#compiled.delete(destination);
    this.#lists.delete(parentOf(destination));
  }

  forgetSource(name: string): void {
    this.#lists.delete(name);
  }

  #of(row: Entry<Destination>): Compiled {
    const known = this.#compiled.get(row.name);
    if (known !== undefined) return known;
    const compiled = this.#compile(row.resource);
    this.#compiled.set(row.name, compiled);
    return compiled;
  }

  #compile(destination: Destination): Compiled {
    const { name, enabled } = destination;
    if (!enabled) return NOWHERE;
    if (!isWebhooks(destination)) return { undeliverable: destination };
    return { route: { destination: name, calledAs: calledAs(destination), admits: this.#chainOf(name).admits } };
  }
}

const NOWHERE: Compiled = {};
