import { MAX_TOLD } from '../../storage/delivery-log.ts';
import type { LoggedDelivery } from '../../model/logged-delivery.ts';
import { StaleRouting } from '../../storage/errors.ts';
import type { ReplayRequest } from '../../storage/job-storage.ts';
import { type CircuitNews, type News, NO_SHARE } from '../../storage/members.ts';
import type { Verbs } from '../../storage/verbs.ts';
import type { Member } from '../../storage/members.ts';
import type { Break } from './broken-delivery-stores.ts';

const A = 'workspaces/main/sources/js/destinations/webhooks';
const EVER = Number.MAX_SAFE_INTEGER;

/** Mistakes about members, the log and jobs, in words that follow «a store that». */
export const MISTAKES: Readonly<Record<string, Break>> = {
  'lets anybody hold deliveries': (own) => ({
    claim: (request) => own.claim(request).catch(() => afterJoin(own, () => own.claim(request))),
    accept: (request) => own.accept(request).catch(() => afterJoin(own, () => own.accept(request))),
  }),
  'gives every life the same number': (own) => ({
    join: async (request) => ({ ...(await own.join(request)), epoch: 1 }),
  }),
  'takes the word of a life that is over': (own) => {
    let epoch = 0;
    return {
      join: async (request) => {
        const membership = await own.join(request);
        ({ epoch } = membership);
        return membership;
      },
      record: (rounds) => own.record(rounds.map((round) => ({ ...round, epoch }))),
    };
  },
  'does not look at who writes': (own) => ({
    record: (rounds) => own.record(rounds.map((round) => ({ ...round, node: 'one', epoch: 1 }))),
  }),
  'hides what a node holds': () => ({ held: () => Promise.resolve({ held: [], next: undefined }) }),
  'tells the first page of what a node holds alone': (own) => ({
    held: async (page) => ({ ...(await own.held(page)), next: undefined }),
  }),
  'does not know a key again': (own) => {
    let asked = 0;
    return { accept: (request) => own.accept({ ...request, key: `${request.key} ${(asked += 1)}` }) };
  },
  'takes what an older configuration routed': (own) => ({
    accept: (request) =>
      own.accept(request).catch((error: unknown) => {
        if (!(error instanceof StaleRouting)) throw error;
        return own.accept({ ...request, version: 7 });
      }),
  }),
  'tells the first page of what waits alone': (own) => ({
    backlog: async (page) => ({ ...(await own.backlog(page)), next: undefined }),
  }),
  'counts the first page of what waits alone': (own) => ({
    countBacklog: async (request) => ({ ...(await own.countBacklog(request)), next: undefined }),
  }),
  'counts what waits of all destinations': (own) => ({
    countBacklog: async (request) => {
      const { queues } = await own.backlog({ limit: 1_000 });
      return own.countBacklog({ ...request, destinations: queues.map(({ destination }) => destination) });
    },
  }),
  'counts more of what waits than it is asked to': (own) => ({
    countBacklog: (request) => own.countBacklog({ ...request, limit: EVER }),
  }),
  'lets a lease last for ever': () => ({ reap: () => Promise.resolve(0) }),
  'does not hear that a node lives': () => ({ beat: () => Promise.resolve({ members: [], leaseMs: 1 }) }),
  'tells a node of itself alone': (own) => ({
    beat: async () => {
      const roster = await own.beat();
      return roster && { ...roster, members: roster.members.slice(0, 1) };
    },
  }),
  'tells members with nothing in their hands': (own) => ({
    members: async () => (await own.members()).map((member) => ({ ...member, held: 0 })),
  }),
  'tells members of those that were silent for too long': (own) => {
    const all = new Map<string, Member>();
    return {
      members: async () => {
        for (const member of await own.members()) all.set(member.node, member);
        return [...all.values()];
      },
    };
  },
  'tells nobody anything': () => ({ exchange: () => Promise.resolve({ waits: [], circuits: [], members: [] }) }),
  'hides how others divide limits': (own) => ({
    exchange: async (told) => {
      const { members, ...heard } = await own.exchange(told);
      return { ...heard, members: members.map(({ node, epoch }) => ({ node, epoch })) };
    },
  }),
  'tells the same again': (own) => {
    const all: CircuitNews[] = [];
    return {
      exchange: async (news) => {
        const heard = await own.exchange(news);
        all.push(...heard.circuits);
        return { ...heard, circuits: [...all] };
      },
    };
  },
  'lets anybody tell news': (own) => ({
    exchange: (news) => own.exchange(news).catch(() => afterJoin(own, () => own.exchange(news))),
  }),
  'tells a life what the one before was told': (own) => {
    let missed: News = { waits: [], circuits: [] };
    return {
      join: async (request) => {
        missed = await own.exchange({ waits: [], circuits: [], division: NO_SHARE }).catch(() => missed);
        return own.join(request);
      },
      exchange: async (news) => {
        const heard = await own.exchange(news);
        return { ...heard, waits: [...missed.waits, ...heard.waits] };
      },
    };
  },
  'keeps no open circuits': (own) => ({
    exchange: ({ division: { openCircuits: _told, ...division }, ...news }) => own.exchange({ ...news, division }),
  }),
  'makes everything due when a node joins': (own) => ({
    join: async (request) => {
      const membership = await own.join(request);
      const { claims } = await own.claim({ which: 'received', upTo: EVER, destination: A, limit: 100 });
      const verdict = { state: 'pending', dueAt: request.now, setAt: request.now, closed: [], tries: 1 } as const;
      await own.record(claims.map((claim) => ({ ...claim, attempts: [], verdict, endedAt: request.now, ageMs: 0 })));
      return membership;
    },
  }),
  'keeps no attempts': (own) => ({
    record: (rounds) => own.record(rounds.map((round) => ({ ...round, attempts: [] }))),
  }),
  'keeps an attempt as often as it is reported': (own) => {
    let reports = 0;
    return {
      record: (rounds) => {
        reports += 100;
        const renumbered = rounds.map((round) => ({
          ...round,
          attempts: round.attempts.map((one) => ({ ...one, number: one.number + reports })),
        }));
        return own.record(renumbered);
      },
    };
  },
  'tells the first of very many attempts': (own) => ({
    record: (rounds) => own.record(rounds.map((one) => ({ ...one, attempts: one.attempts.slice(0, MAX_TOLD) }))),
  }),
  'shows deliveries below any destination': (own) => ({
    read: async (query) => (await own.read(query)) ?? own.read({ ...query, destination: A }),
  }),
  'ends the log with its first page': (own) => ({
    list: async (query) => ({ deliveries: (await own.list(query)).deliveries }),
  }),
  'shows the log as it was at the first page': (own) => {
    let known = new Set<string>();
    return {
      list: async (query) => {
        if (query.before === undefined) known = new Set((await everyOf(own)).map(({ delivery }) => delivery));
        const page = await own.list(query);
        return { ...page, deliveries: page.deliveries.filter(({ delivery }) => known.has(delivery)) };
      },
    };
  },
  'begins the log anew behind a place that it does not know': (own) => ({
    list: async (query) => {
      const page = await own.list(query);
      const { before: _, ...start } = query;
      return page.deliveries.length === 0 ? own.list(start) : page;
    },
  }),
  'lists the log whatever is asked for': (own) => ({ list: (query) => own.list({ ...query, filter: {} }) }),
  'gives up a search after so many rows': (own) => ({
    list: async (query) => {
      const { deliveries } = await own.list({ ...query, filter: {}, limit: 100 });
      return { deliveries: deliveries.filter(({ userId }) => userId === (query.filter.userId ?? userId)) };
    },
  }),
  'counts nothing': () => ({ counts: () => Promise.resolve([]) }),
  'forgets what is to be replayed': () => ({ replay: () => Promise.resolve('replayed') }),
  'replays a delivery any number of times': (own) => ({
    replay: async (request) => {
      const answer = await own.replay(request);
      return answer === 'too often' ? 'replayed' : answer;
    },
  }),
  'forgets bulk replays': () => ({ runningReplays: () => Promise.resolve([]) }),
  'lets any number of bulk replays run': (own) => ({
    createReplay: (request) => own.createReplay({ ...request, mostRunning: EVER }),
  }),
  'keeps any number of bulk replays': (own) => ({
    createReplay: (request) => own.createReplay({ ...request, mostKept: EVER }),
  }),
  'replays what comes after the job was made': (own) => {
    const wanted = new Map<number, ReplayRequest>();
    return {
      createReplay: async (replay) => {
        const made = await own.createReplay(replay);
        if (made !== undefined) wanted.set(made.id, replay);
        return made;
      },
      stepReplay: async (step) => {
        const replay = wanted.get(step.replay);
        const made = replay === undefined ? undefined : await own.createReplay(replay);
        return own.stepReplay({ ...step, replay: made?.id ?? step.replay });
      },
    };
  },
  'floods a destination with a replay': (own) => ({
    stepReplay: (step) => own.stepReplay({ ...step, waitingLimit: EVER }),
  }),
  'lists bulk replays from the first': (own) => ({
    listReplays: (query) => own.listReplays({ ...query, after: 0 }),
  }),
  'goes on with what was cancelled': (own) => ({ cancelReplay: (request) => own.getReplay(request) }),
  'lets everybody have a job': () => ({ leaseJob: () => Promise.resolve(true) }),
  'gives a job to nobody': () => ({ leaseJob: () => Promise.resolve(false) }),
  'lets a node have a job for ever': (own) => ({ leaseJob: (request) => own.leaseJob({ ...request, forMs: EVER }) }),
  'keeps what is old': () => ({ purge: () => Promise.resolve({ deliveries: 0, ids: 0, next: undefined }) }),
  'forgets ids before they are old': (own) => ({ purge: (request) => own.purge({ ...request, seenBefore: EVER }) }),
  'keeps what is stored of users': () => ({ eraseUsers: () => Promise.resolve({ deliveries: 0, next: undefined }) }),
};

async function afterJoin<Answer>(own: Verbs, ask: () => Promise<Answer>): Promise<Answer> {
  await own.join({ now: 0 });
  return ask();
}

async function everyOf(own: Verbs): Promise<readonly LoggedDelivery[]> {
  return (await own.list({ destination: A, filter: {}, limit: 1_000 })).deliveries;
}
