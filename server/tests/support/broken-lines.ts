import type { RoundRecord, Route } from '../../model/delivery.ts';
import type { AcceptRequest, Claimed } from '../../storage/delivery-storage.ts';
import type { Break } from './broken-delivery-stores.ts';

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
  'has as many lines as acceptances': (own) => {
    let count = 0;
    return { accept: (request) => own.accept(withLines(request, ({ line }) => line && line + (count += 1))) };
  },
};

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
