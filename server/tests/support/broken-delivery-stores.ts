import type { Acceptance, DeliveryId, Postponement, RoundRecord, Verdict } from '../../model/delivery.ts';
import type { AcceptRequest, Claimed, ClaimRequest } from '../../storage/delivery-storage.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { fenceOf } from './memory-storage.ts';

/** A good store with some of its verbs replaced. */
export type Break = (own: Verbs) => Partial<Verbs>;

/** Each makes one mistake, in words that follow «a store that». */
export const BREAKS: Readonly<Record<string, Break>> = {
  'loses every hundredth acceptance': (own) => {
    let asked = 0;
    return {
      accept: (request) => {
        asked += 1;
        return asked % 100 === 0 ? Promise.resolve(request.acceptances.map(() => [])) : own.accept(request);
      },
    };
  },
  'takes a message id twice': (own) => {
    let taken = 0;
    const renamed = (id: string): string => `${id} ${(taken += 1)}`;
    return {
      accept: (request) =>
        own.accept(
          withEach(request, ({ message, routes }) => ({
            message: { ...message, event: { ...message.event, messageId: renamed(message.event.messageId) } },
            routes,
          })),
        ),
    };
  },
  'knows a message id whatever its source': (own) => ({
    accept: (request) =>
      own.accept(withEach(request, ({ message, routes }) => ({ message: { ...message, source: 'one' }, routes }))),
  }),
  'stores the first destination of a message alone': (own) => ({
    accept: (request) =>
      own.accept(withEach(request, ({ message, routes }) => ({ message, routes: routes.slice(0, 1) }))),
  }),
  'stores a claimed delivery as waiting too': (own) => ({
    accept: async (request) => {
      const answer = await own.accept(request);
      await own.release(answer.flatMap((claims) => (claims === 'duplicate' ? [] : claims)));
      return answer;
    },
  }),
  'mends the text of an event': (own) => ({
    claim: async (request) => {
      const { claims, ...rest } = await own.claim(request);
      const mended = claims.map(({ message, ...claim }) => {
        const properties = JSON.parse(
          JSON.stringify(message.event.properties)
            .toWellFormed()
            .replaceAll(/\\ud[89ab]../g, ''),
        );
        return { ...claim, message: { ...message, event: { ...message.event, properties } } };
      });
      return { ...rest, claims: mended };
    },
  }),
  'hands out the same work twice': (own) => ({
    claim: async (request) => {
      const claimed = await own.claim(request);
      await own.release(claimed.claims);
      return claimed;
    },
  }),
  'does not count the round of a claim': (own) => ({
    claim: async (request) => {
      const { claims, ...rest } = await own.claim(request);
      return { ...rest, claims: claims.map((claim) => ({ ...claim, round: claim.round - 1 })) };
    },
  }),
  'hands out the latest first': (own) => ({
    claim: async (request) => chosen(own, request, (claimed) => claimed.claims.toReversed()),
  }),
  'hands out more bytes than it was asked for': (own) => ({
    claim: ({ bytes: _bytes, ...request }) => own.claim(request),
  }),
  'hands out more than it was asked for': (own) => ({ claim: (request) => own.claim({ ...request, limit: 1_000 }) }),
  'hands out what is not due': (own) => ({
    claim: (request) => own.claim(request.which === 'due' ? { ...request, now: Number.MAX_SAFE_INTEGER } : request),
  }),
  'forgets when the next is due': (own) => ({
    claim: async (request) => ({ ...(await own.claim(request)), nextDueAt: undefined }),
  }),
  'forgets which has waited longest': (own) => ({
    claim: async (request) => ({ ...(await own.claim(request)), oldestReceivedAt: undefined }),
  }),
  'probes with whatever is oldest': (own) => ({
    claim: (request) =>
      own.claim(request.which === 'probe' ? { ...request, which: 'received', upTo: Number.MAX_SAFE_INTEGER } : request),
  }),
  'gives last tries to whatever is there': (own) => ({
    claim: (request) =>
      own.claim(request.which === 'received' ? { ...request, upTo: Number.MAX_SAFE_INTEGER } : request),
  }),
  'mixes destinations up': (own) => ({
    claim: async (request) => {
      const claimed = await own.claim(request);
      const [other] = claimed.claims.length > 0 ? [] : (await own.backlog({ limit: 1 })).queues;
      return other === undefined ? claimed : own.claim({ ...request, destination: other.destination });
    },
  }),
  'takes for the first of those that ask at once alone': (own) => {
    let asked: ClaimRequest | undefined;
    return {
      claim: (request) => {
        asked ??= request;
        return own.claim({ ...request, limit: asked.limit }).finally(() => (asked = undefined));
      },
    };
  },
  'loses what a parked destination puts back': () => ({ release: () => Promise.resolve([]) }),
  'counts what was put back as tried': (own) => ({
    // Noted as tried and failed, due at once: all but the count is right.
    release: async (claims) => {
      const rounds = claims.map((claim) => ({ ...RECORD, ...fenceOf(claim), verdict: DUE_AT_ONCE }));
      return (await own.record(rounds)).refused;
    },
  }),
  'takes back the round of what was put back': (own) => {
    let back = 0;
    return {
      release: (claims) => {
        back += 1;
        return own.release(claims);
      },
      claim: async (request) => {
        const { claims, ...rest } = await own.claim(request);
        return { ...rest, claims: claims.map((claim) => ({ ...claim, round: claim.round - back })) };
      },
    };
  },
  'forgets how often a delivery was tried': (own) => ({
    record: (rounds) => own.record(rounds.map((round) => withVerdict(round, { tries: 0 }))),
  }),
  'waits for a clock that has gone back': (own) => ({
    join: ({ now }) => own.join({ now: Math.max(now, Date.UTC(2026, 0, 1)) }),
  }),
  'takes every restart for a clock that has gone back': (own) => ({
    record: (rounds) => own.record(rounds.map((round) => withVerdict(round, { setAt: Number.MAX_SAFE_INTEGER }))),
  }),
  'forgets when a delivery is due': (own) => ({
    record: (rounds) => own.record(rounds.map((round) => withVerdict(round, { dueAt: Date.UTC(2026, 0, 1) }))),
  }),
  'forgets which webhooks are closed': (own) => ({
    record: (rounds) => own.record(rounds.map((round) => withVerdict(round, { closed: [] }))),
  }),
  'tries again what has ended': (own) => ({
    record: (rounds) =>
      own.record(
        rounds.map((round) => (round.verdict.state === 'pending' ? round : { ...round, verdict: DUE_AT_ONCE })),
      ),
  }),
  'lets a late report end a later round': (own) => {
    const rounds = new Map<DeliveryId, number>();
    return {
      claim: async (request) => {
        const claimed = await own.claim(request);
        for (const { delivery, round } of claimed.claims) rounds.set(delivery, round);
        return claimed;
      },
      record: (records) => own.record(records.map((one) => ({ ...one, round: rounds.get(one.delivery) ?? one.round }))),
    };
  },
  'forgets what a dead process was trying': (own) => ({
    // Takes it again at once, and tells nobody.
    join: async (request) => {
      const membership = await own.join(request);
      for (const { destination } of (await own.backlog({ limit: 1_000 })).queues) {
        await own.claim({ which: 'received', upTo: Number.MAX_SAFE_INTEGER, destination, limit: membership.freed });
      }
      return { ...membership, freed: 0 };
    },
  }),
  'does not count the rounds of a dead process': (own) => {
    let uncounted = 0;
    return {
      join: async (request) => {
        const membership = await own.join(request);
        uncounted = membership.epoch - 1;
        return membership;
      },
      claim: async (request) => {
        const { claims, ...rest } = await own.claim(request);
        return { ...rest, claims: claims.map((claim) => ({ ...claim, round: claim.round - uncounted })) };
      },
    };
  },
  'counts what waits wrongly': (own) => ({
    countBacklog: async (request) => {
      const { queues, next } = await own.countBacklog(request);
      return { queues: queues.map((one) => ({ ...one, waiting: one.waiting + 1 })), next };
    },
  }),
  'does not count what is being tried': () => ({
    trying: () => Promise.resolve({ count: 0, oldestReceivedAt: undefined }),
  }),
};

const DUE_AT_ONCE: Verdict = { state: 'pending', dueAt: 0, setAt: 0, closed: [], tries: 1 };
const RECORD = { destination: '', attempts: [], endedAt: 0, ageMs: 0 };

/** Asks for everything, keeps what `choose` puts first, and puts the rest back. */
async function chosen(
  own: Verbs,
  request: ClaimRequest,
  choose: (claimed: Claimed) => Claimed['claims'],
): Promise<Claimed> {
  const everything = await own.claim({ ...request, limit: 1_000 });
  const ordered = choose(everything);
  await own.release(ordered.slice(request.limit));
  return { ...everything, claims: ordered.slice(0, request.limit) };
}

function withVerdict(round: RoundRecord, change: Partial<Postponement>): RoundRecord {
  if (round.verdict.state !== 'pending') return round;
  return { ...round, verdict: { ...round.verdict, ...change } };
}

function withEach(request: AcceptRequest, change: (acceptance: Acceptance) => Acceptance): AcceptRequest {
  return { ...request, acceptances: request.acceptances.map(change) };
}
