import { isWebhooks } from '../destinations/kind.ts';
import type { Destination, Resources } from '../model/resources.ts';
import type { Entry } from '../storage/config-store.ts';
import { Children, put } from './rows.ts';

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
  readonly #webhooks = new Map<string, true>();
  /** Of these, the ones whose health is kept, or whose secret is replaced by another. */
  readonly #attended = new Map<string, true>();

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
    put(this.#webhooks, name, delivers || undefined);
    put(this.#attended, name, isAttended || undefined);
    this.#rows.put(name, row);
  }

  /** Full names. */
  webhooks(): readonly string[] {
    return [...this.#webhooks.keys()];
  }

  /** Full names. */
  attended(): readonly string[] {
    return [...this.#attended.keys()];
  }
}
