import type { FilterChain } from '../filters/chain.ts';
import type { Resources, SchemaSettings } from '../model/resources.ts';
import type { SuppressedUsers } from './suppressed-users.ts';

/** A destination that events of a source may go to: enabled, and of a kind that delivers. */
export interface Route {
  /** Full resource name. */
  readonly destination: string;
  /** What `integrations` may call it, the most specific first: its own name, and that of its kind (D-45). */
  readonly calledAs: readonly string[];
  /** What its filters let through; undefined where they let everything. */
  readonly admits: FilterChain['admits'];
}

/** What is done with the events of one source, by one version of its workspace. Immutable. */
export interface SourceView {
  readonly name: string;
  readonly workspace: string;
  /** Whether it sends what the router has to say, and takes nothing else (D-82). */
  readonly isOfNotices: boolean;
  readonly version: number;
  /** The lists that its events are held to. */
  readonly suppressed: readonly SuppressedUsers[];
  /** The tracking plan that it is connected to; a connection to a plan that was deleted since is none. */
  readonly plan: Resources['tracking-plans'] | undefined;
  readonly settings: SchemaSettings;
  readonly routes: readonly Route[];
  /** Destinations that are enabled, and of a kind that delivers nothing (D-11). */
  readonly undeliverable: readonly Resources['destinations'][];
}
