import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PacedLines } from '../../fairness/paced-lines.ts';
import type { PacedWork } from '../../fairness/paced-work.ts';
import { RoundRobin } from '../../fairness/round-robin.ts';
import { Semaphore } from '../../fairness/semaphore.ts';

const holders = fc.constantFrom('a', 'b', 'c', 'd');
const acts = fc.array(fc.oneof(holders, fc.constant('take' as const)), { maxLength: 80, size: 'max' });

test('SAFE-2: whoever waits has to wait for one of each other holder, however much they have', () => {
  fc.assert(
    fc.property(acts, (all) => {
      const waiting = new RoundRobin<string>();
      const left: string[] = [];
      /** Of each holder that waits, the others that came first since it had its turn. */
      const before = new Map<string, Set<string>>();
      for (const [index, act] of all.entries()) {
        if (act !== 'take') {
          left.push(`${act}${index}`);
          waiting.add(act, `${act}${index}`);
          if (!before.has(act)) before.set(act, new Set());
          continue;
        }
        const item = waiting.take();
        const holder = item?.[0] ?? '';
        // Those of one holder in order, and none is lost.
        expect(item).toBe(left.find((one) => one[0] === holder));
        expect(item === undefined).toBe(left.length === 0);
        if (item !== undefined) left.splice(left.indexOf(item), 1);
        before.delete(holder);
        for (const came of before.values()) {
          expect(came).not.toContain(holder);
          came.add(holder);
        }
        if (left.some((one) => one[0] === holder)) before.set(holder, new Set());
      }
      expect(waiting.takeAll().toSorted()).toEqual(left.toSorted());
    }),
  );
});

test('SAFE-2: no more is under way than there are places, and none stays empty while somebody waits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(holders, { maxLength: 20 }), async (places, all) => {
      const semaphore = new Semaphore(places);
      const open: PromiseWithResolvers<void>[] = [];
      const runs = all.map((holder) =>
        semaphore.run(() => {
          const one = Promise.withResolvers<void>();
          open.push(one);
          return one.promise;
        }, holder),
      );
      const settled = Promise.allSettled(runs);
      for (let ended = 0; ended < all.length; ended += 1) {
        expect(open).toHaveLength(Math.min(places, all.length - ended));
        // What fails leaves its place as well.
        if (ended % 2 === 0) open.shift()?.resolve();
        else open.shift()?.reject(new Error('failed'));
        await new Promise(setImmediate);
      }
      expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(Math.floor(all.length / 2));
    }),
  );
});

test('SAFE-2: of each holder one piece of work is done at a time, and after a long one it rests while others go on', async () => {
  const [state, did]: [{ now: number }, string[]] = [{ now: 0 }, []];
  const rests: (() => void)[] = [];
  const lines = new PacedLines({
    now: () => state.now,
    sleep: (ms) => new Promise((resolve) => rests.push(() => resolve(void (state.now += ms)))),
    pause: () => Promise.resolve(),
  });
  const ask = (holder: string, ms: number): Promise<number> =>
    lines.run(async (pace: PacedWork) => {
      did.push(`${holder} at ${state.now}`);
      return pace.once(() => (state.now += ms));
    }, holder);
  const [first, second] = [ask('a', 100), ask('a', 1)];
  expect(await first).toBe(100);
  expect(await ask('b', 1)).toBe(101);
  expect(did).toEqual(['a at 0', 'b at 100']);
  for (const rest of rests.splice(0)) rest();
  expect(await second).toBe(502);
  await lines.end();
  expect(did).toEqual(['a at 0', 'b at 100', 'a at 501']);
});
