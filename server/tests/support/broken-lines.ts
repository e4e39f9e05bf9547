import type { Claim, RoundRecord, Route } from '../../model/delivery.ts';
import { type AcceptRequest, BEHIND_MS, type Claimed } from '../../storage/delivery-storage.ts';
import type { Break } from './broken-delivery-stores.ts';
import { fenceOf } from './memory-storage.ts';

const EVER = Number.MAX_SAFE_INTEGER;

/** Mistakes about lines, in words that follow «a store that». */
export const LINE_MISTAKES: Readonly<Record<string, Break>> = {
  'knows no lines': (own) => ({ accept: (request) => own.accept(withLines(request, () => undefined)) }),
  'has one line for all': (own) => ({
    accept: (request) => own.accept(withLines(request, ({ line }) => (line === undefined ? line : 1))),
  }),
  'puts everything into a line': (own) => ({
    accept: (request) => own.accept(withLines(request, ({ line }) => line ?? 1)),
  }),
  'does not name the line of a claim': (own) => ({
    claim: async (request) => {
      const claimed = await own.claim(request);
      return { ...claimed, claims: claimed.claims.map(({ line: _line, ...claim }) => claim) } satisfies Claimed;
    },
  }),
  'takes nothing in the place of what has ended': (own) => ({
    record: async (rounds) => {
      const { refused, next } = await own.record(rounds);
      await own.release(next);
      return { refused, next: [] };
    },
  }),
  'goes on with a line whose first is tried again': (own) => ({
    record: (rounds) => own.record(rounds.map(asEnded)),
  }),
  'leaves what was behind something that was cancelled to wait': (own) => ({
    tell: async (request) => {
      const answer = await own.tell(request);
      const { claims } = await own.claim({ which: 'due', destination: request.destination, now: EVER, limit: 100 });
      await own.record(claims.map((claim) => postponedFrom(claim, claim.message.receivedAt + BEHIND_MS)));
      return answer;
    },
  }),
  'tries at once what is behind something that was cancelled, or before it': (own) => ({
    tell: async (request) => {
      const answer = await own.tell(request);
      const { claims } = await own.claim({ which: 'due', destination: request.destination, now: EVER, limit: 100 });
      await own.record(claims.map((claim) => postponedFrom(claim, claim.message.receivedAt)));
      return answer;
    },
  }),
  'has as many lines as acceptances': (own) => {
    let count = 0;
    return { accept: (request) => own.accept(withLines(request, ({ line }) => line && line + (count += 1))) };
  },
};

function postponedFrom({ line, ...claim }: Claim, dueAt: number): RoundRecord {
  const verdict = { state: 'pending', dueAt, setAt: dueAt, closed: claim.closed, tries: claim.tries } as const;
  const told = { ...fenceOf(claim), destination: claim.destination, attempts: [], verdict, endedAt: dueAt, ageMs: 0 };
  return line === undefined ? told : { ...told, line };
}

function asEnded(round: RoundRecord): RoundRecord {
  return round.verdict.state === 'pending' && round.line !== undefined
    ? { ...round, verdict: { state: 'failed' } }
    : round;
}

type Request = AcceptRequest;

function withLines(request: Request, lineOf: (route: Route) => number | undefined): Request {
  const changed = request.acceptances.map(({ routes, ...acceptance }) => ({
    ...acceptance,
    routes: routes.map((route) => ({ ...route, line: lineOf(route) })),
  }));
  return { ...request, acceptances: changed };
}
