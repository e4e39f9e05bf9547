import type { Acceptance } from '../../model/delivery.ts';
import type { Telling, TellRequest, Told } from '../../storage/telling-storage.ts';
import type { Verbs } from '../../storage/verbs.ts';
import type { Break } from './broken-delivery-stores.ts';
import { batchOf } from './memory-storage.ts';

const A = 'workspaces/main/sources/js/destinations/webhooks';
const EVER = Number.MAX_SAFE_INTEGER;

/** Mistakes about what is caught for audiences, and what destinations are told of them, in words that follow «a store that». */
export const AUDIENCE_MISTAKES: Readonly<Record<string, Break>> = {
  'catches nothing of what goes nowhere': (own) => ({
    accept: (request) =>
      own.accept({
        ...request,
        acceptances: request.acceptances.map(({ message, routes, caught }) =>
          routes.length === 0 || caught === undefined ? { message, routes } : { message, routes, caught },
        ),
      }),
  }),
  'catches what it knows already': (own) => ({
    accept: async (request) => {
      const answer = await own.accept(request);
      const known = request.acceptances.filter((_, index) => answer[index] === 'duplicate');
      await own.accept(batchOf(known.map((one, index) => renamed(one, `${request.key} ${index}`))));
      return answer;
    },
  }),
  'gives ids of the inbox again': (own) => ({
    readInbox: async ({ after, limit }) => {
      const all = await own.readInbox({ after: 0, limit: EVER });
      return all.map((one, index) => ({ ...one, id: index + 1 })).filter(({ id }) => id > after && id <= after + limit);
    },
  }),
  'reads the inbox of all workspaces for one': (own) => ({
    readInbox: (request) => own.readInbox({ ...request, of: undefined }),
  }),
  'clears the inbox of all workspaces for one': (own) => ({
    clearInbox: ({ upTo }) => own.clearInbox({ upTo }),
  }),
  'does not know what was caught last': () => ({ lastCaught: () => Promise.resolve(0) }),
  'begins the inbox anew whatever profiles have seen': () => ({ continueInbox: () => Promise.resolve() }),
  'lets two syncs of a computation run': (own) => ({
    startSync: async (request) => {
      const { computation, now } = request;
      const { number } = await own.startSync(request);
      if (number > 1) return own.startSync(request);
      await own.endSync({ computation, number, state: 'DONE', now });
      return own.startSync(request);
    },
  }),
  'forgets how far a sync is': (own) => ({
    tell: (request) => own.tell({ ...request, cursor: { destinations: [] } }),
  }),
  'forgets how many were left out once a sync has ended': (own) => ({
    getSync: async (which) => {
      const sync = await own.getSync(which);
      if (sync === undefined || sync.state === 'RUNNING') return sync;
      const { leftOut: _leftOut, ...cursor } = sync.cursor;
      return { ...sync, cursor };
    },
  }),
  'forgets what a sync was computed of': (own) => ({
    computedSync: ({ basis: _basis, ...request }) => own.computedSync(request),
  }),
  'tells for a sync that has ended': (own) => ({
    tell: async (request) => {
      const { computation, now } = request;
      const { number: sync } = await own.startSync({ computation, now });
      return own.tell({ ...request, sync });
    },
  }),
  'lists syncs from the oldest': (own) => ({
    listSyncs: async (query) => (await own.listSyncs({ ...query, limit: EVER })).toReversed().slice(0, query.limit),
  }),
  'forgets what is left of a sync when the next begins': (own) => ({
    openSyncs: async () => {
      const last = new Map((await own.openSyncs()).map((sync) => [sync.computation, sync]));
      return [...last.values()];
    },
  }),
  'answers the open syncs of all for those of one': (own) => ({ openSyncs: () => own.openSyncs() }),
  'forgets what it told': (own) => ({ told: async (query) => ({ ...(await own.told(query)), told: [] }) }),
  'sends what a later value has replaced': (own) => {
    const last = new Map<string, Telling>();
    return {
      tell: async (request) => {
        const keyOf = ({ user }: Telling): string => JSON.stringify([request.computation, request.destination, user]);
        const answer = await own.tell(request);
        const replaced = request.tellings.flatMap((telling) => last.get(keyOf(telling)) ?? []);
        await tellAgain(own, request, replaced);
        for (const telling of request.tellings) last.set(keyOf(telling), telling);
        return answer;
      },
    };
  },
  'replays what a later value has replaced': (own) => {
    const requests: TellRequest[] = [];
    const replayAll = async (): Promise<void> => {
      for (const request of requests.slice(0, -1)) await tellAgain(own, request, request.tellings);
    };
    return {
      tell: (request) => {
        requests.push(request);
        return own.tell(request);
      },
      replay: async (request) => {
        const answer = await own.replay(request);
        if (answer !== 'superseded') return answer;
        await replayAll();
        return 'replayed';
      },
      stepReplay: async (step) => {
        const progress = await own.stepReplay(step);
        await replayAll();
        return progress;
      },
    };
  },
  'knows no destination that was told anything': () => ({ toldDestinations: () => Promise.resolve([]) }),
  'takes one destination for another': (own) => ({ told: (query) => own.told({ ...query, destination: A }) }),
  'tells while an earlier value is being sent': (own) => ({
    tell: async (request) => {
      const { held } = await own.held({ limit: 100 });
      await own.release(held);
      return own.tell(request);
    },
  }),
  'tells a user as often as it is asked': (own) => ({
    tell: async (request) => {
      const users = request.tellings.map(({ user }) => user);
      await own.tell({ ...request, tellings: [], forgotten: users, silenced: [] });
      return own.tell(request);
    },
  }),
  'remembers who is to be forgotten': (own) => ({ tell: (request) => own.tell({ ...request, forgotten: [] }) }),
  'forgets who is to be silenced': (own) => ({
    tell: ({ forgotten, silenced, ...request }) =>
      own.tell({ ...request, forgotten: [...forgotten, ...silenced], silenced: [] }),
  }),
  'sends what waits for who is to be silenced': (own) => ({
    tell: (request) => own.tell({ ...request, silenced: [] }),
  }),
  'walks users in the order of its own language': (own) => ({
    told: async (query) => {
      const { told, ...page } = await own.told({ ...query, after: undefined, limit: EVER });
      const behind = told.filter(({ user }) => user > (query.after ?? ''));
      return { ...page, told: behind.toSorted((a, b) => (a.user < b.user ? -1 : 1)).slice(0, query.limit) };
    },
  }),
  'counts all that waits': (own) => ({ waiting: (query) => own.waiting({ ...query, limit: EVER }) }),
  'counts tellings with each look': (own) => {
    let looks = 0;
    return {
      settle: async (request) => {
        const { sync, ...rest } = await own.settle(request);
        looks += 1;
        return { ...rest, sync: sync && { ...sync, delivered: sync.delivered + looks } };
      },
    };
  },
  'counts nothing of users who were erased': (own) => {
    let isErased = false;
    return {
      eraseUsers: (request) => {
        isErased = true;
        return own.eraseUsers(request);
      },
      settle: async (request) => {
        const { sync, ...rest } = await own.settle(request);
        return { ...rest, sync: sync && (isErased ? { ...sync, superseded: 0 } : sync) };
      },
    };
  },
  'takes what expired for told': (own) => ({
    told: (query) => withValues(own, query, (value) => value ?? 'true'),
  }),
  'tells again what was told since': (own) => {
    let isExpired = false;
    return {
      settle: async (request) => {
        const settled = await own.settle(request);
        isExpired ||= (settled.sync?.expired ?? 0) > 0;
        return settled;
      },
      told: (query) => withValues(own, query, (value) => (isExpired ? undefined : value)),
    };
  },
  'keeps what it told of users': (own) => ({
    eraseUsers: (request) => own.eraseUsers({ ...request, after: request.after ?? '0' }),
  }),
  'keeps syncs for ever': (own) => ({ purge: (request) => own.purge({ ...request, endedBefore: 0 }) }),
  'forgets all of a computation': (own) => ({
    forgetTold: ({ computation, limit, now }) => own.forgetTold({ computation, limit, now }),
  }),
  'forgets all of a computation that is gone at once': (own) => ({
    forgetTold: (request) => own.forgetTold({ ...request, limit: EVER }),
  }),
  'keeps what it told of computations that are gone': () => ({ forgetTold: () => Promise.resolve(false) }),
};

/** Tells the same as of another computation, behind what was told since. */
async function tellAgain(own: Verbs, request: TellRequest, tellings: readonly Telling[]): Promise<void> {
  const computation = `${request.computation} ${request.sync}`;
  const { number: sync } = await own.startSync({ computation, now: request.now });
  await own.tell({ ...request, computation, sync, tellings, forgotten: [] });
}

function renamed({ message, ...rest }: Acceptance, messageId: string): Acceptance {
  return { ...rest, routes: [], message: { ...message, event: { ...message.event, messageId } } };
}

async function withValues(
  own: Verbs,
  query: Parameters<Verbs['told']>[0],
  valueOf: (value: Told['value']) => Told['value'],
): ReturnType<Verbs['told']> {
  const { told, ...page } = await own.told(query);
  return { ...page, told: told.map(({ user, value }) => ({ user, value: valueOf(value) })) };
}
