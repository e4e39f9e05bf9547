import { calledAs, isWebhooks } from '../destinations/kind.ts';
import type { FilterChain } from '../filters/chain.ts';
import { parentOf } from '../model/resource-names.ts';
import type { Resources } from '../model/resources.ts';
import type { Children } from './rows.ts';
import type { Route, SourceView } from './source-view.ts';

type Lists = Pick<SourceView, 'routes' | 'undeliverable'>;

/** Of an enabled destination. */
type Compiled = { readonly route: Route } | { readonly undeliverable: Resources['destinations'] };

/**
 * Where events of each source go, compiled at first use. A list is kept until a destination of its source changes, or a filter of one, and
 * of the others what was compiled: a source may have tens of thousands (SAFE-2).
 */
export class Routes {
  readonly #destinations: Children<'destinations'>;
  readonly #chainOf: (destination: string) => FilterChain;
  /** By source. */
  readonly #lists = new Map<string, Lists>();
  readonly #compiled = new Map<string, Compiled>();

  constructor(destinations: Children<'destinations'>, chainOf: (destination: string) => FilterChain) {
    [this.#destinations, this.#chainOf] = [destinations, chainOf];
  }

  of(source: string): Lists {
    const known = this.#lists.get(source);
    if (known !== undefined) return known;
    const enabled = this.#destinations.below(source).filter((one) => one.enabled);
    const compiled = enabled.map((one) => this.#of(one));
    const lists = {
      routes: compiled.flatMap((one) => ('route' in one ? one.route : [])),
      undeliverable: compiled.flatMap((one) => ('undeliverable' in one ? one.undeliverable : [])),
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

  #of(destination: Resources['destinations']): Compiled {
    const { name } = destination;
    const known = this.#compiled.get(name);
    if (known !== undefined) return known;
    const compiled = isWebhooks(destination)
      ? { route: { destination: name, calledAs: calledAs(destination), admits: this.#chainOf(name).admits } }
      : { undeliverable: destination };
    this.#compiled.set(name, compiled);
    return compiled;
  }
}
