import type { ConfigStore } from '../config-store.ts';
import { caughtBehind, type Inbox, isCleared } from '../inbox.ts';
import type { Use } from '../used-ids.ts';
import { eachVerb, type Operations, type Verbs } from '../verbs.ts';
import { deliveryOperations } from './deliveries.ts';
import { jobOperations } from './jobs.ts';
import { logOperations } from './log.ts';
import { endLife, memberOperations, Node } from './members.ts';
import { MemoryResources } from './resources.ts';
import { type MemoryOptions, Rows, type StoredDelivery } from './rows.ts';
import { tellingOperations } from './tellings.ts';

/** A handle of one node on a memory. */
export interface MemoryStorage extends Verbs {
  readonly resources: ConfigStore;
  /** Everything stored, in order of acceptance. */
  readonly deliveries: readonly StoredDelivery[];
  close(): Promise<void>;
}

/**
 * The storage in memory: for simulations and tests, where the disk is not the point. Any
 * number of nodes can have it open at once. It ends with the process, so accepts are remembered for as long as it lives.
 */
export class Memory {
  readonly #rows: Rows;
  readonly #resources: MemoryResources;

  constructor(options: MemoryOptions) {
    this.#rows = new Rows(options);
    this.#resources = new MemoryResources(options);
  }

  open(name = 'one'): MemoryStorage {
    const [rows, node, resources] = [this.#rows, new Node(name, this.#rows), this.#resources.open()];
    const operations: Operations = {
      ...deliveryOperations(rows, node, resources),
      ...logOperations(rows),
      ...jobOperations(rows, name),
      ...memberOperations(rows, node),
      ...inboxOperations(rows),
      useOnce: (use) => useOnce(rows, use),
      ...tellingOperations(rows),
    };
    const close = (): Promise<void> => {
      if (node.life !== undefined) endLife(rows, name, rows.options.clock.steady());
      return resources.close();
    };
    return {
      resources,
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

function inboxOperations(rows: Rows): Pick<Operations, keyof Inbox> {
  return {
    readInbox: (asked) => caughtBehind([...rows.inbox.values()], asked),
    clearInbox(request) {
      for (const one of rows.inbox.values()) if (isCleared(one, request)) rows.inbox.delete(one.id);
    },
    lastCaught: () => [...rows.inbox.keys()].at(-1) ?? 0,
    continueInbox: ({ after }) => rows.continueInbox(after),
  };
}

function useOnce({ usedIds }: Rows, { owner, id, now, forMs, limit }: Use): 'first' | 'again' | 'full' {
  const used = usedIds.get(owner) ?? new Map<string, number>();
  if ((used.get(id) ?? -Infinity) > now) return 'again';
  const isFull = used.size >= limit && [...used.values()].filter((until) => until > now).length >= limit;
  if (isFull) return 'full';
  usedIds.set(owner, used.set(id, now + forMs));
  return 'first';
}
