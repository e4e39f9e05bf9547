import { expect } from 'vitest';
import type { Acceptance, Claim, RoundRecord } from '../../model/delivery.ts';
import { BEHIND_MS, type ClaimRequest } from '../../storage/delivery-storage.ts';
import type { Telling } from '../../storage/telling-storage.ts';
import type { Verbs } from '../../storage/verbs.ts';
import { batchOf } from '../support/memory-storage.ts';
import type { DeliveryStoreFact } from './delivery-store.ts';
import { A, B, firstOf, ids, message, NOW, postponed, queues, recordOf } from './delivery-store-events.ts';
import { next as nextSync, started, telling, tellOf } from './telling-events.ts';

const [ANN, BEN, CY] = [7, 2 ** 52 - 1, 8];
const AT = NOW + 1_000;
/** By then all that stood behind another is looked at again. */
const LATER = AT + 10 * BEHIND_MS;

function inLine(messageId: string, line: number, offset = 0, claimed = false): Acceptance {
  return { message: message(messageId, offset), routes: [{ destination: A, claimed, line }] };
}

function toldInLine(user: string, line: number, value = 'true', offset = 0): Telling {
  const { message: told, ...fields } = telling(user, value);
  return { ...fields, message: { ...told, receivedAt: NOW + offset }, line };
}

function due(store: Verbs, now = LATER, limit = 10): ReturnType<Verbs['claim']> {
  return store.claim({ which: 'due', destination: A, now, limit });
}

function end(claim: Claim, state: 'delivered' | 'failed' | 'expired' | 'cancelled' = 'delivered'): RoundRecord {
  return { ...recordOf(claim, { state }), ...(claim.line !== undefined && { line: claim.line }) };
}

/** Of a line, only the first that has not ended is taken (HOOK-25). */
export const LINE_FACTS: readonly DeliveryStoreFact[] = [
  {
    title: 'HOOK-25: of each line the first is taken, and its claim names the line',
    check: async ({ store }) => {
      await store.accept(batchOf([inLine('a1', ANN), inLine('a2', ANN), inLine('b1', BEN), inLine('b2', BEN)]));
      const { claims } = await due(store);
      expect(ids(claims).toSorted()).toEqual(['a1', 'b1']);
      expect(new Set(claims.map(({ line }) => line))).toEqual(new Set([ANN, BEN]));
      expect(ids((await due(store)).claims)).toEqual([]);
    },
  },
  {
    title: 'HOOK-25: with the end of one of a line, however it ended, the next is taken',
    check: async ({ store }) => {
      await store.accept(batchOf(['a1', 'a2', 'a3', 'a4', 'a5'].map((id) => inLine(id, ANN))));
      let claim = firstOf((await due(store)).claims);
      for (const [state, id] of [
        ['delivered', 'a2'],
        ['failed', 'a3'],
        ['expired', 'a4'],
        ['cancelled', 'a5'],
      ] as const) {
        const { refused, next } = await store.record([end(claim, state)]);
        expect([refused, ids(next)]).toEqual([[], [id]]);
        claim = firstOf(next);
        expect(claim).toMatchObject({ destination: A, line: ANN, round: 1, tries: 0 });
      }
      expect((await store.record([end(claim)])).next).toEqual([]);
    },
  },
  {
    title: 'HOOK-25: one that is tried again keeps its place',
    check: async ({ store }) => {
      await store.accept(batchOf([inLine('a1', ANN), inLine('a2', ANN)]));
      const first = firstOf((await due(store, AT)).claims);
      const again = { ...recordOf(first, postponed(AT + 500)), line: ANN };
      expect((await store.record([again])).next).toEqual([]);
      expect(ids((await due(store, AT)).claims)).toEqual([]);
      expect(ids((await due(store)).claims)).toEqual(['a1']);
    },
  },
  {
    title: 'HOOK-25: what is behind is neither a probe nor a last try',
    check: async ({ store }) => {
      await store.accept(batchOf([inLine('a1', ANN), inLine('a2', ANN, 1), inLine('b1', BEN, 2)]));
      const received = { which: 'received', upTo: LATER, destination: A, limit: 10 } satisfies ClaimRequest;
      expect(ids((await store.claim(received)).claims)).toEqual(['a1', 'b1']);
      expect(ids((await store.claim({ which: 'probe', destination: A, limit: 10 })).claims)).toEqual([]);
      expect(await queues(store)).toMatchObject([{ destination: A, waiting: 1 }]);
    },
  },
  {
    title: 'HOOK-25: a line of any length hides no other from a probe or a last try',
    check: async ({ store }) => {
      const long = Array.from({ length: 1_001 }, (_, index) => inLine(`a${index}`, ANN, index));
      await store.accept(batchOf([...long, inLine('b1', BEN, 2_000), inLine('c1', CY, 2_001)]));
      const received = { which: 'received', upTo: LATER, destination: A } satisfies Partial<ClaimRequest>;
      expect(ids((await store.claim({ ...received, limit: 1 })).claims)).toEqual(['a0']);
      expect(ids((await store.claim({ which: 'probe', destination: A, limit: 1 })).claims)).toEqual(['b1']);
      expect(ids((await store.claim({ ...received, limit: 10 })).claims)).toEqual(['c1']);
    },
  },
  {
    title: 'HOOK-25: an acceptance is not taken while others of its line have not ended',
    check: async ({ store }) => {
      const [first] = await store.accept(batchOf([inLine('a1', ANN, 0, true)]));
      // It may be left to a claim, too.
      const one = first?.length === 1 ? firstOf(first) : firstOf((await due(store)).claims);
      const answers = await store.accept(batchOf([inLine('a2', ANN, 1, true), inLine('a3', ANN, 1, true)]));
      expect(answers).toEqual([[], []]);
      const { next } = await store.record([end(one)]);
      expect(ids(next)).toEqual(['a2']);
      expect(ids((await store.record([end(firstOf(next))])).next)).toEqual(['a3']);
    },
  },
  {
    title: 'HOOK-25: lines are of one destination; what is in none is taken as it comes',
    check: async ({ store }) => {
      const routes = [A, B].map((destination) => ({ destination, claimed: false, line: ANN }));
      await store.accept(batchOf([{ message: message('both'), routes }]));
      const free = { message: message('free'), routes: [{ destination: A, claimed: false }] };
      await store.accept(batchOf([inLine('behind', ANN), free]));
      expect(ids((await due(store)).claims).toSorted()).toEqual(['both', 'free']);
      const other = await store.claim({ which: 'due', destination: B, now: LATER, limit: 10 });
      expect(ids(other.claims)).toEqual(['both']);
    },
  },
  {
    title: 'HOOK-25: lines survive the end of the process',
    check: async ({ store, reopen }) => {
      await store.accept(batchOf([inLine('a1', ANN), inLine('a2', ANN)]));
      expect(ids((await due(store)).claims)).toEqual(['a1']);
      const next = await reopen();
      await next.join({ now: LATER });
      const { claims } = await due(next, LATER);
      expect(ids(claims)).toEqual(['a1']);
      expect(ids((await next.record([end(firstOf(claims))])).next)).toEqual(['a2']);
    },
  },
  {
    title: 'HOOK-25: what is put back keeps its place, and what is replayed has the last',
    check: async ({ store }) => {
      await store.accept(batchOf([inLine('a1', ANN), inLine('a2', ANN)]));
      const first = firstOf((await due(store)).claims);
      await store.release([first]);
      const again = firstOf((await due(store)).claims);
      expect(ids([again])).toEqual(['a1']);
      // What was behind when it was looked at, and is not any more, is due at once.
      await store.release((await store.record([end(again, 'failed')])).next);
      const second = firstOf((await due(store)).claims);
      expect(ids([second])).toEqual(['a2']);
      await store.replay({ destination: A, delivery: again.delivery, at: { steady: AT, wall: AT } });
      expect(ids((await due(store)).claims)).toEqual([]);
      expect(ids((await store.record([end(second)])).next)).toEqual(['a1']);
    },
  },
  {
    title: 'HOOK-25: what is behind a telling that is cancelled is due at once, before the one that takes its place',
    check: async ({ store, advance = () => undefined }) => {
      const first = await started(store);
      await tellOf(store, first, [toldInLine('ann', ANN), toldInLine('ben', BEN), toldInLine('cy', CY)]);
      await advance(1);
      await store.accept(batchOf([inLine('a1', ANN, 1), inLine('b1', BEN, 1), inLine('c1', CY, 1)]));
      // What is behind is found so, and waits for the end of the one before it.
      expect(ids((await due(store, NOW + 2)).claims)).toEqual(['ann true', 'ben true', 'cy true']);
      await store.release((await store.held({ limit: 9 })).held);
      await advance(1);
      const untold = { forgotten: ['ben'], silenced: ['cy'] };
      await tellOf(store, await nextSync(store, first), [toldInLine('ann', ANN, 'false', 2)], untold);
      const { claims } = await due(store, AT);
      expect(ids(claims).toSorted()).toEqual(['a1', 'b1', 'c1']);
      const ann = claims.filter(({ line }) => line === ANN);
      expect(ids((await store.record([end(firstOf(ann))])).next)).toEqual(['ann false']);
    },
  },
  {
    title: 'HOOK-25: what waits for its retry waits on when something else of its user is cancelled',
    check: async ({ store }) => {
      await store.accept(batchOf([inLine('a1', ANN)]));
      const retried = firstOf((await due(store, AT)).claims);
      await store.record([{ ...recordOf(retried, postponed(LATER)), line: ANN }]);
      const first = await started(store);
      await tellOf(store, first, [toldInLine('ann', ANN, 'true', 1)]);
      await tellOf(store, await nextSync(store, first), [toldInLine('ann', ANN, 'false', 2)]);
      expect(ids((await due(store, LATER - 1)).claims)).toEqual([]);
      expect(ids((await due(store, LATER)).claims)).toEqual(['a1']);
    },
  },
];
