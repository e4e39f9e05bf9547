import type { Postponement, RoundRecord, Verdict } from '../../model/delivery.ts';
import type { ClaimRequest, Claimed, DeliveryStorage } from '../../storage/delivery-storage.ts';

/** A good store with some of its verbs replaced. */
export type Break = (own: DeliveryStorage) => Partial<DeliveryStorage>;

/** Each makes one mistake, in words that follow «a store that». */
export const BREAKS: Readonly<Record<string, Break>> = {
  'loses every hundredth acceptance': (own) => {
    let asked = 0;
    return {
      accept: (acceptances) => {
        asked += 1;
        return asked % 100 === 0 ? Promise.resolve(acceptances.map(() => [])) : own.accept(acceptances);
      },
    };
  },
  'takes a message id twice': (own) => {
    let taken = 0;
    const renamed = (id: string): string => `${id} ${(taken += 1)}`;
    return {
      accept: (acceptances) =>
        own.accept(
          acceptances.map(({ message, routes }) => ({
            message: { ...message, event: { ...message.event, messageId: renamed(message.event.messageId) } },
            routes,
          })),
        ),
    };
  },
  'knows a message id whatever its source': (own) => ({
    accept: (acceptances) =>
      own.accept(acceptances.map(({ message, routes }) => ({ message: { ...message, source: 'one' }, routes }))),
  }),
  'stores the first destination of a message alone': (own) => ({
    accept: (acceptances) =>
      own.accept(acceptances.map(({ message, routes }) => ({ message, routes: routes.slice(0, 1) }))),
  }),
  'stores a claimed delivery as waiting too': (own) => ({
    accept: async (acceptances) => {
      const answer = await own.accept(acceptances);
      await own.release(answer.flatMap((claims) => (claims === 'duplicate' ? [] : claims.map((one) => one.delivery))));
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
      await own.release(claimed.claims.map((claim) => claim.delivery));
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
      const [other] = claimed.claims.length > 0 ? [] : await own.backlog();
      return other === undefined ? claimed : own.claim({ ...request, destination: other.destination });
    },
  }),
  'loses what a parked destination puts back': () => ({ release: () => Promise.resolve() }),
  'counts what was put back as tried': (own) => ({
    // Noted as tried and failed, due at once: all but the count is right.
    release: (deliveries) => own.record(deliveries.map((delivery) => ({ ...RECORD, delivery, verdict: DUE_AT_ONCE }))),
  }),
  'takes back the round of what was put back': (own) => {
    let back = 0;
    return {
      release: (deliveries) => {
        back += 1;
        return own.release(deliveries);
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
    recover: (now) => own.recover(Math.max(now, Date.UTC(2026, 0, 1))),
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
    const rounds = new Map<number, number>();
    return {
      claim: async (request) => {
        const claimed = await own.claim(request);
        for (const { delivery, round } of claimed.claims) rounds.set(delivery, round);
        return claimed;
      },
      record: (records) => own.record(records.map((one) => ({ ...one, round: rounds.get(one.delivery) ?? one.round }))),
    };
  },
  'forgets what a dead process was trying': () => ({ recover: () => Promise.resolve(0) }),
  'does not count the rounds of a dead process': (own) => {
    let uncounted = 0;
    return {
      recover: (now) => {
        uncounted = 1;
        return own.recover(now);
      },
      claim: async (request) => {
        const { claims, ...rest } = await own.claim(request);
        return { ...rest, claims: claims.map((claim) => ({ ...claim, round: claim.round - uncounted })) };
      },
    };
  },
  'counts what waits wrongly': (own) => ({
    backlog: async () => (await own.backlog()).map((one) => ({ ...one, waiting: one.waiting + 1 })),
  }),
  'counts what is being tried as waiting': (own) => ({
    unfinished: async () => {
      const all = (await own.unfinished()).reduce((sum, { count }) => sum + count, 0);
      return [
        { state: 'pending', count: all, oldestReceivedAt: undefined },
        { state: 'trying', count: 0, oldestReceivedAt: undefined },
      ];
    },
  }),
};

const DUE_AT_ONCE: Verdict = { state: 'pending', dueAt: 0, setAt: 0, closed: [], tries: 1 };
const RECORD = { destination: '', round: 1, attempts: [], endedAt: 0, ageMs: 0 };

/** Asks for everything, keeps what `choose` puts first, and puts the rest back. */
async function chosen(
  own: DeliveryStorage,
  request: ClaimRequest,
  choose: (claimed: Claimed) => Claimed['claims'],
): Promise<Claimed> {
  const everything = await own.claim({ ...request, limit: 1_000 });
  const ordered = choose(everything);
  await own.release(ordered.slice(request.limit).map((claim) => claim.delivery));
  return { ...everything, claims: ordered.slice(0, request.limit) };
}

function withVerdict(round: RoundRecord, change: Partial<Postponement>): RoundRecord {
  if (round.verdict.state !== 'pending') return round;
  return { ...round, verdict: { ...round.verdict, ...change } };
}
