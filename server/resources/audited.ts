import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../ports/clock.ts';
import type { Author, ConfigStore } from '../storage/config-store.ts';
import type { Caller } from './callers.ts';
import { configHandlers } from './config-handlers.ts';
import type { ConfigHandlers, Env } from './env.ts';

type Called = { readonly caller: Caller };
type AnyHandler = (call: Called) => unknown;

/**
 * The handlers, each of whose changes are stored with who asked for them. No handler knows of it, so that none that is added can
 * forget it.
 */
export function auditedHandlers(env: Env): ConfigHandlers {
  const calls = new AsyncLocalStorage<Change>();
  const author = (): Author | undefined => {
    const change = calls.getStore();
    return change && authorOf(change, env.clock);
  };
  const handlers = configHandlers({ ...env, store: authored(env.store, author) });
  const audited = Object.entries(handlers).map(([operation, handler]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each gets the very call that it was made for
    const own = handler as unknown as AnyHandler;
    const handle: AnyHandler = (call) => calls.run({ caller: call.caller, operation }, own, call);
    return [operation, handle] as const;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each handler of the map, under its own name
  return Object.fromEntries(audited) as unknown as ConfigHandlers;
}

/** Who asked for what. */
interface Change {
  readonly caller: Caller;
  readonly operation: string;
}

function authorOf({ caller: { token, address = '' }, operation }: Change, clock: Pick<Clock, 'now'>): Author {
  const create_time = new Date(clock.now()).toISOString();
  return { create_time, operation, token: token.name, token_description: token.description, address };
}

/** The store, whose changes are those of an author. */
function authored(store: ConfigStore, author: () => Author | undefined): ConfigStore {
  return {
    get: (kind, name) => store.get(kind, name),
    list: (kind, parent, page) => store.list(kind, parent, page),
    create: (kind, resource, most, fit) => store.create(kind, resource, most, fit, author()),
    update: (kind, name, change) => store.update(kind, name, change, author()),
    remove: (kind, name, check) => store.remove(kind, name, check, author()),
    watch: (listener) => store.watch(listener),
    refresh: () => store.refresh(),
    sourceByWriteKey: (key) => store.sourceByWriteKey(key),
    tokenByHash: (hash) => store.tokenByHash(hash),
    close: () => store.close(),
  };
}
