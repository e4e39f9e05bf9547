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
 * forget it. `changedNothing` is told who asked the store for changes and made none, before the answer.
 */
export function auditedHandlers(env: Env, changedNothing: (caller: Caller) => void = () => {}): ConfigHandlers {
  const calls = new AsyncLocalStorage<Change>();
  const author = (): Author | undefined => {
    const change = calls.getStore();
    return change && authorOf(change, env.clock);
  };
  const note = (isChange: boolean): void => {
    const call = calls.getStore();
    if (call !== undefined) call.made = isChange || call.made === 'changes' ? 'changes' : 'nothing';
  };
  const handlers = configHandlers({ ...env, store: authored(env.store, author, note) });
  const audited = Object.entries(handlers).map(([operation, handler]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each gets the very call that it was made for
    const own = handler as unknown as AnyHandler;
    const handle: AnyHandler = async (call) => {
      const change: Change = { caller: call.caller, operation, made: undefined };
      const answer = await calls.run(change, own, call);
      if (change.made === 'nothing') changedNothing(call.caller);
      return answer;
    };
    return [operation, handle] as const;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each handler of the map, under its own name
  return Object.fromEntries(audited) as unknown as ConfigHandlers;
}

/** Who asked for what. */
interface Change {
  readonly caller: Caller;
  readonly operation: string;
  /** What came of it in the store; undefined where it was not asked. */
  made: 'changes' | 'nothing' | undefined;
}

function authorOf({ caller: { token, address = '' }, operation }: Change, clock: Pick<Clock, 'now'>): Author {
  const create_time = new Date(clock.now()).toISOString();
  const entry = { create_time, operation, token: token.name, token_description: token.description, address };
  return { ...entry, workspaces: token.workspace_names };
}

/** The store, whose changes are those of an author; what was asked of it, and whether that changed something, is noted. */
function authored(
  store: ConfigStore,
  author: () => Author | undefined,
  note: (isChange: boolean) => void,
): ConfigStore {
  return {
    get: (kind, name) => store.get(kind, name),
    list: (kind, parent, page) => store.list(kind, parent, page),
    async create(kind, resource, most, fit) {
      const creation = await store.create(kind, resource, most, fit, author());
      note(creation === 'created');
      return creation;
    },
    async update(kind, name, change) {
      let isChange = false;
      // Asked again, the last answer counts.
      const noted: typeof change = (current, home) => {
        const next = change(current, home);
        isChange = next !== current;
        return next;
      };
      const updated = await store.update(kind, name, noted, author());
      note(isChange);
      return updated;
    },
    async remove(kind, name, check) {
      const isRemoved = await store.remove(kind, name, check, author());
      note(isRemoved);
      return isRemoved;
    },
    watch: (listener, kinds) => store.watch(listener, kinds),
    refresh: () => store.refresh(),
    tokenByHash: (hash) => store.tokenByHash(hash),
    close: () => store.close(),
  };
}
