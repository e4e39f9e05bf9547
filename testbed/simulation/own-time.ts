import type { Message } from '../../server/model/message.ts';
import type { Claimed, ClaimRequest } from '../../server/storage/delivery-storage.ts';
import { datedStatement, type News } from '../../server/storage/members.ts';
import type { Verbs } from '../../server/storage/verbs.ts';

/** A storage as a router sees it whose steady clock is so far ahead of the storage's: engines convert, and so does this. */
export function inOwnTime(own: Verbs, aheadMs: number): Verbs {
  const [inward, outward] = [(at: number): number => at - aheadMs, (at: number): number => at + aheadMs];
  return {
    ...own,
    join: (request) => own.join({ ...request, now: inward(request.now) }),
    reap: ({ now }) => own.reap({ now: inward(now) }),
    accept: async (request) => {
      const acceptances = request.acceptances.map((one) => ({ ...one, message: moved(one.message, inward) }));
      const accepted = await own.accept({ ...request, acceptances });
      return accepted.map((claims) => (claims === 'duplicate' ? claims : claims.map((claim) => dated(claim, outward))));
    },
    claim: async (request) => claimedAt(await own.claim(asked(request, inward)), outward),
    record: (rounds) =>
      own.record(
        rounds.map((round) => {
          const { verdict } = round;
          if (verdict.state !== 'pending') return round;
          return { ...round, verdict: { ...verdict, dueAt: inward(verdict.dueAt), setAt: inward(verdict.setAt) } };
        }),
      ),
    backlog: async (page) => {
      const { queues, next } = await own.backlog(page);
      const seen = queues.map((queue) => ({
        ...queue,
        nextDueAt: outward(queue.nextDueAt),
        oldestReceivedAt: outward(queue.oldestReceivedAt),
      }));
      return { queues: seen, next };
    },
    exchange: async ({ division, ...news }) => {
      const { members, ...heard } = await own.exchange({
        ...newsIn(news, inward),
        division: datedStatement(division, inward),
      });
      return { ...newsIn(heard, outward), members };
    },
  };
}

type Convert = (at: number) => number;

function asked(request: ClaimRequest, convert: Convert): ClaimRequest {
  switch (request.which) {
    case 'due':
      return { ...request, now: convert(request.now) };
    case 'received':
      return { ...request, upTo: convert(request.upTo) };
    case 'probe':
      return request;
  }
}

function claimedAt({ claims, nextDueAt, oldestReceivedAt }: Claimed, convert: Convert): Claimed {
  const maybe = (at: number | undefined): number | undefined => (at === undefined ? undefined : convert(at));
  return {
    claims: claims.map((claim) => dated(claim, convert)),
    nextDueAt: maybe(nextDueAt),
    oldestReceivedAt: maybe(oldestReceivedAt),
  };
}

function moved(message: Message, convert: Convert): Message {
  return { ...message, receivedAt: convert(message.receivedAt) };
}

function dated<Row extends { readonly message: Message }>(row: Row, convert: Convert): Row {
  return { ...row, message: moved(row.message, convert) };
}

function newsIn({ waits, circuits }: News, convert: Convert): News {
  return {
    waits: waits.map((one) => ({ ...one, dueAt: convert(one.dueAt), receivedAt: convert(one.receivedAt) })),
    circuits: circuits.map(({ destination, circuit }) => ({
      destination,
      circuit: circuit.state === 'open' ? { ...circuit, probeAt: convert(circuit.probeAt) } : circuit,
    })),
  };
}
