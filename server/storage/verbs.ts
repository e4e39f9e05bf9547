import type { CountStorage, DeliveryLog } from './delivery-log.ts';
import type { DeliveryStorage } from './delivery-storage.ts';
import type { Inbox } from './inbox.ts';
import type { JobStorage } from './job-storage.ts';
import type { Members } from './members.ts';
import type { TellingStorage } from './telling-storage.ts';
import type { UsedIds } from './used-ids.ts';

/** Everything that can be asked of the storage, resources apart. A verb takes at most one argument. */
export interface Verbs
  extends DeliveryStorage, DeliveryLog, CountStorage, UsedIds, JobStorage, Members, Inbox, TellingStorage {}

export type Verb = keyof Verbs;
export type AnswerOf<V extends Verb> = Awaited<ReturnType<Verbs[V]>>;

/** What an engine does for each verb, in the transaction of who asked. */
export type Operations = { readonly [V in Verb]: (...argument: Parameters<Verbs[V]>) => AnswerOf<V> };

/** Each verb once: the layers that measure, forward and call are made of this table. A read needs no disk to write to. */
export const VERBS = {
  accept: 'write',
  claim: 'write',
  record: 'write',
  release: 'write',
  held: 'read',
  backlog: 'read',
  countBacklog: 'read',
  trying: 'read',
  list: 'read',
  read: 'read',
  counts: 'read',
  sums: 'read',
  addCounts: 'write',
  useOnce: 'write',
  leaseJob: 'write',
  replay: 'write',
  createReplay: 'write',
  getReplay: 'read',
  listReplays: 'read',
  cancelReplay: 'write',
  stepReplay: 'write',
  runningReplays: 'read',
  purge: 'write',
  eraseUsers: 'write',
  join: 'write',
  beat: 'write',
  reap: 'write',
  members: 'read',
  exchange: 'write',
  readInbox: 'read',
  clearInbox: 'write',
  lastCaught: 'read',
  continueInbox: 'write',
  openSyncs: 'read',
  listSyncs: 'read',
  getSync: 'read',
  startSync: 'write',
  computedSync: 'write',
  endSync: 'write',
  told: 'read',
  toldDestinations: 'read',
  tell: 'write',
  waiting: 'read',
  settle: 'write',
  forgetTold: 'write',
} as const satisfies Readonly<Record<Verb, 'read' | 'write'>>;

/** All verbs, each made from its name. */
export function eachVerb(make: (verb: Verb) => (argument: unknown) => Promise<unknown>): Verbs {
  const names = Object.keys(VERBS).filter((name) => isVerb(name));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has every verb, and each is made for its name
  return Object.fromEntries(names.map((verb) => [verb, make(verb)])) as unknown as Verbs;
}

function isVerb(name: string): name is Verb {
  return Object.hasOwn(VERBS, name);
}
