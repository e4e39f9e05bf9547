import { expect, test } from 'vitest';
import { createAccept } from '../../events/accept.ts';
import type { Routed } from '../../events/route.ts';
import { type Claim, deliveryId } from '../../model/delivery.ts';
import { lineOf } from '../../model/line.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import type { Accepted, AcceptRequest } from '../../storage/delivery-storage.ts';
import { OutcomeUnknown, StaleRouting } from '../../storage/errors.ts';
import { eventOf } from '../support/engine.ts';
import { stillClock } from '../support/still-clock.ts';

const BY = { workspace: 'workspaces/main', version: 7 };

/** An acceptance whose storage answers, or fails, in this order, with all that its dispatcher is told. */
function startAccept(answers: readonly (Accepted | Error)[], { full = [], inOrder = [] }: Given = {}) {
  const [asked, ends]: [AcceptRequest[], End[]] = [[], []];
  const accept = createAccept({
    deliveries: {
      accept: (request) => {
        asked.push(request);
        const answer = answers[asked.length - 1] ?? [];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    dispatcher: {
      admit: () => ({
        reserve: (destination) => ({
          hasPlace: !full.includes(destination),
          isInOrder: inOrder.includes(destination),
        }),
        end: (claims, waiting) => void ends.push({ claims, waiting: [...waiting] }),
      }),
    },
    clock: stillClock(() => 5),
  });
  return { accept, asked, ends };
}

interface Given {
  readonly full?: readonly string[];
  readonly inOrder?: readonly string[];
}

interface End {
  readonly claims: readonly Claim[];
  readonly waiting: readonly string[];
}

function claimOf(id: string): Claim {
  const message = { source: 'web', receivedAt: 5, event: eventOf(0) };
  const fence = { delivery: deliveryId(id), node: 'n', epoch: 1, round: 1 };
  return { ...fence, destination: 'a', message, tries: 0, closed: [] };
}

function routed(index: number, ...to: readonly string[]): Routed {
  return { source: 'web', event: eventOf(index, { userId: `u${index}` }), to };
}

test('ING-10: each event is stored with where it goes, when it came, and what has room now', async () => {
  const { accept, asked } = startAccept([[[], []]], { full: ['b'] });
  expect(await accept([routed(1, 'a', 'b'), routed(2)], BY)).toEqual([true, true]);
  const key = expect.stringMatching(/^[\da-f-]{36} \d+$/);
  expect(asked).toStrictEqual([{ key, ...BY, acceptances: [expect.anything(), expect.anything()] }]);
  expect(asked[0]?.acceptances).toStrictEqual([
    {
      message: { source: 'web', receivedAt: 5, event: routed(1).event },
      routes: [
        { destination: 'a', claimed: true },
        { destination: 'b', claimed: false },
      ],
    },
    { message: { source: 'web', receivedAt: 5, event: routed(2).event }, routes: [] },
  ]);
});

test('HOOK-25: only for destinations that keep the order of users it is stored whose line an event is in', async () => {
  const { accept, asked } = startAccept([[[], []]], { inOrder: ['b'] });
  const { userId: _userId, ...nobody } = eventOf(2);
  await accept([routed(1, 'a', 'b'), { source: 'web', event: nobody, to: ['b'] }], BY);
  expect(asked[0]?.acceptances.map(({ routes }) => routes)).toStrictEqual([
    [
      { destination: 'a', claimed: true },
      { destination: 'b', claimed: true, line: lineOf({ userId: 'u1' }) },
    ],
    [{ destination: 'b', claimed: true }],
  ]);
});

test('D-43: the dispatcher gets what is new and had room, and hears for whom something waits, known events aside', async () => {
  const [first, third] = [claimOf('m1'), claimOf('m3')];
  const { accept, ends } = startAccept([[[first], 'duplicate', [third], []]], { full: ['b', 'c', 'd'] });
  const events = [routed(1, 'a', 'b'), routed(2, 'a', 'c'), routed(3, 'a', 'b', 'd'), routed(4)];
  expect(await accept(events, BY)).toEqual([true, false, true, true]);
  expect(ends).toEqual([{ claims: [first, third], waiting: ['b', 'd'] }]);
});

test('D-63: where the answer of storage is lost, it is asked once more for the same', async () => {
  const unknown = new OutcomeUnknown('the connection is gone');
  const { accept, asked, ends } = startAccept([unknown, [[claimOf('x')]]]);
  expect(await accept([routed(1, 'a')], BY)).toEqual([true]);
  expect(asked[1]).toBe(asked[0]);
  expect(asked).toHaveLength(2);
  expect(ends).toEqual([{ claims: [claimOf('x')], waiting: [] }]);
  const lost = startAccept([unknown, unknown, [[]]]);
  await expect(lost.accept([routed(1, 'a')], BY)).rejects.toBe(unknown);
  expect(lost.asked).toHaveLength(2);
});

test('D-63: where the answer of storage is lost, and it cannot be asked again, nobody knows', async () => {
  const [unknown, ended] = [new OutcomeUnknown('the connection is gone'), new StoreUnavailable('the store is closed')];
  const { accept, asked, ends } = startAccept([unknown, ended]);
  await expect(accept([routed(1, 'a')], BY)).rejects.toThrow(OutcomeUnknown);
  expect([asked.length, ends]).toEqual([2, [{ claims: [], waiting: [] }]]);
});

test.each([new StoreUnavailable('the disk is full'), new StaleRouting('another version')])(
  'D-63: what storage refuses with %s is refused at once, and its places are given back',
  async (error) => {
    const { accept, asked, ends } = startAccept([error, [[]]], { full: ['b'] });
    await expect(accept([routed(1, 'a', 'b')], BY)).rejects.toBe(error);
    expect([asked.length, ends]).toEqual([1, [{ claims: [], waiting: [] }]]);
  },
);

test('D-63: each batch has a key of its own', async () => {
  const { accept, asked } = startAccept([]);
  for (let times = 0; times < 3; times += 1) await accept([], BY);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(3);
});

/** An acceptance whose storage answers when it is told to, with what it was asked: whose, and for how many destinations. */
function startWaiting() {
  const [asked, answers]: [string[], (() => void)[]] = [[], []];
  const accept = createAccept({
    deliveries: {
      accept: ({ workspace, acceptances }) => {
        asked.push(`${workspace} ${acceptances[0]?.routes.length}`);
        return new Promise((resolve) => answers.push(() => resolve([[]])));
      },
    },
    dispatcher: { admit: () => ({ reserve: () => ({ hasPlace: false, isInOrder: false }), end: () => undefined }) },
    clock: stillClock(() => 5),
  });
  const ask = (workspace: string, destinations: number): Promise<unknown> => {
    const to = Array.from({ length: destinations }, (_, index) => `d${index}`);
    return accept([{ ...routed(0), to }], { workspace, version: 1 });
  };
  const answer = async (index: number): Promise<void> => {
    answers[index]?.();
    await new Promise(setImmediate);
  };
  return { asked, ask, answer };
}

test('SAFE-2: of what goes to many destinations two are stored at once, by workspaces in turn, and what goes to few waits for none', async () => {
  const { asked, ask, answer } = startWaiting();
  const all = [ask('one', 500), ask('one', 501), ask('one', 502), ask('one', 503), ask('two', 600), ask('two', 499)];
  expect(asked).toEqual(['one 500', 'one 501', 'two 499']);
  for (let answered = 0; answered < all.length; answered += 1) await answer(answered);
  expect(asked.slice(3)).toEqual(['one 502', 'two 600', 'one 503']);
  await Promise.all(all);
});

test('SAFE-2: of what goes to few destinations each workspace has no more begun while 500 deliveries of it are being stored', async () => {
  const { asked, ask, answer } = startWaiting();
  const all = [ask('one', 499), ask('one', 400), ask('one', 300), ask('one', 2), ask('one', 1), ask('two', 3)];
  expect(asked).toEqual(['one 499', 'one 400', 'two 3']);
  await answer(0);
  expect(asked.slice(3)).toEqual(['one 300']);
  await answer(3);
  expect(asked.slice(4)).toEqual(['one 2', 'one 1']);
  for (const left of [1, 2, 4, 5]) await answer(left);
  await Promise.all(all);
  void ask('one', 498);
  void ask('one', 497);
  expect(asked.slice(6)).toEqual(['one 498', 'one 497']);
});

test('SAFE-2: after an event for more than 5,000 destinations its workspace rests four times as long as that took', async () => {
  const state = { now: 0, slept: [] as number[] };
  const accept = createAccept({
    deliveries: { accept: () => Promise.resolve([[]]).finally(() => (state.now += 100)) },
    dispatcher: { admit: () => ({ reserve: () => ({ hasPlace: false, isInOrder: false }), end: () => undefined }) },
    clock: {
      steady: () => state.now,
      sleep: (ms) => Promise.resolve(void ((state.now += ms), state.slept.push(ms))),
    },
  });
  const ask = (workspace: string, destinations: number): Promise<unknown> => {
    const to = Array.from({ length: destinations }, (_, index) => `d${index}`);
    return accept([{ ...routed(0), to }], { workspace, version: 1 });
  };
  for (let asked = 0; asked < 3; asked += 1) await ask('one', 5_001);
  expect(state).toEqual({ now: 1_100, slept: [400, 400] });
  await Promise.all([ask('one', 5_000), ask('two', 5_001)]);
  expect(state.slept).toHaveLength(2);
});
