import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Dated, PriorityQueue } from '../../delivery/priority-queue.ts';

test('moments are taken in order of time, and those of one time in the order in which they were planned', () => {
  const anyTimes = fc.array(fc.option(fc.nat(20)), { maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(anyTimes, (times) => {
      const queue = new PriorityQueue<Dated>();
      let planned: Dated[] = [];
      for (const [order, at] of times.entries()) {
        // Null: the first is taken.
        const taken = at === null ? [queue.take(), planned.shift()] : [];
        expect(taken[0]).toEqual(taken[1]);
        if (at !== null) {
          queue.add({ at, order });
          planned = [...planned, { at, order }].toSorted((a, b) => a.at - b.at || a.order - b.order);
        }
        expect(queue.first).toEqual(planned[0]);
      }
      for (const moment of [...planned, undefined]) expect(queue.take()).toEqual(moment);
    }),
    { numRuns: 500 },
  );
});

test('what is planned and taken costs few looks, however much is planned', () => {
  let looks = 0;
  const queue = new PriorityQueue<Dated>();
  const momentOf = (order: number): Dated => ({
    order,
    get at() {
      looks += 1;
      return (order * 7_919) % 10_007;
    },
  });
  for (let order = 0; order < 4_096; order += 1) queue.add(momentOf(order));
  for (let order = 0; order < 4_096; order += 1) queue.take();
  // Two comparisons on each of twelve levels, of two to four looks each.
  expect(looks).toBeLessThan(4_096 * 12 * 8);
});
