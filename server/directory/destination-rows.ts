import { isWebhooks } from '../destinations/kind.ts';
import type { Destination, Resources } from '../model/resources.ts';
import type { Entry } from '../storage/config-store.ts';
import { Children, mark } from './rows.ts';

/** What stands in a workspace. */
export interface Connections {
  readonly sourceCount: number;
  /** Full names of the destinations that deliver, in order of creation. */
  readonly webhooks: readonly string[];
  /** As it is stored now. */
  readonly destination: (name: string) => Destination | undefined;
}

export const NO_CONNECTIONS: Connections = { sourceCount: 0, webhooks: [], destination: () => undefined };

/** The destinations of a workspace. What is asked of all of them is noted: a row is made into a resource where it is needed. */
export class DestinationRows {
  readonly #rows = new Children<'destinations'>();
  /** Those that deliver, in order of creation. */
  readonly #webhooks = new Set<string>();
  /** Of these, the ones whose health is kept, or whose secret is replaced by another. */
  readonly #attended = new Set<string>();

  get(name: string): Destination | undefined {
    return this.#rows.get(name);
  }

  /** In order of creation. */
  below(source: string): readonly Entry<Destination>[] {
    return this.#rows.rowsBelow(source);
  }

  put(name: string, row: Entry<Resources['destinations']> | undefined): void {
    const destination = row?.resource;
    const delivers = destination !== undefined && isWebhooks(destination);
    const isAttended = delivers && (destination.health ?? destination.rotation) !== undefined;
    mark(this.#webhooks, name, delivers);
    mark(this.#attended, name, isAttended);
    this.#rows.put(name, row);
  }

  /** Full names. */
  webhooks(): readonly string[] {
    return [...this.#webhooks];
  }

  /** Full names. */
  attended(): readonly string[] {
    return [...this.#attended];
  }
}
