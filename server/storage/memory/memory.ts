import { eachVerb, type Operations, type Verbs } from '../verbs.ts';
import { deliveryOperations } from './deliveries.ts';
import { jobOperations } from './jobs.ts';
import { logOperations } from './log.ts';
import { endLife, memberOperations, Node } from './members.ts';
import { type MemoryOptions, Rows, type StoredDelivery } from './rows.ts';

/** A handle of one node on a memory. */
export interface MemoryStorage extends Verbs {
  /** Everything stored, in order of acceptance. */
  readonly deliveries: readonly StoredDelivery[];
  close(): Promise<void>;
}

/**
 * The storage in memory, complete but for resources: for simulations and tests, where the disk is not the point. Any
 * number of nodes can have it open at once. It ends with the process, so accepts are remembered for as long as it lives.
 */
export class Memory {
  readonly #rows: Rows;

  constructor(options: MemoryOptions) {
    this.#rows = new Rows(options);
  }

  open(name = 'one'): MemoryStorage {
    const [rows, node] = [this.#rows, new Node(name, this.#rows)];
    const operations: Operations = {
      ...deliveryOperations(rows, node),
      ...logOperations(rows),
      ...jobOperations(rows, name),
      ...memberOperations(rows, node),
    };
    const close = (): Promise<void> => {
      if (node.life !== undefined) endLife(rows, name, rows.options.clock.steady());
      return Promise.resolve();
    };
    return {
      ...eachVerb((verb) => perform(operations[verb])),
      get deliveries() {
        return rows.all();
      },
      close,
    };
  }
}

function perform(operation: Operations[keyof Operations]): (argument: unknown) => Promise<unknown> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each verb is asked with the argument of its own
  const ask = operation as (argument: unknown) => unknown;
  return async (argument) => ask(argument);
}
