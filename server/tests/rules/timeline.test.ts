import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Moment, Timeline } from '../../delivery/timeline.ts';

test('moments are taken in order of time, and those of one time in the order in which they were planned', () => {
  const anyTimes = fc.array(fc.option(fc.nat(20)), { maxLength: 60, size: 'max' });
  fc.assert(
    fc.property(anyTimes, (times) => {
      const timeline = new Timeline<Moment>();
      let planned: Moment[] = [];
      for (const [order, at] of times.entries()) {
        // Null: the first is taken.
        const taken = at === null ? [timeline.take(), planned.shift()] : [];
        expect(taken[0]).toEqual(taken[1]);
        if (at !== null) {
          timeline.add({ at, order });
          planned = [...planned, { at, order }].toSorted((a, b) => a.at - b.at || a.order - b.order);
        }
        expect(timeline.first).toEqual(planned[0]);
      }
      for (const moment of [...planned, undefined]) expect(timeline.take()).toEqual(moment);
    }),
    { numRuns: 500 },
  );
});

test('what is planned and taken costs few looks, however much is planned', () => {
  let looks = 0;
  const timeline = new Timeline<Moment>();
  const momentOf = (order: number): Moment => ({
    order,
    get at() {
      looks += 1;
      return (order * 7_919) % 10_007;
    },
  });
  for (let order = 0; order < 4_096; order += 1) timeline.add(momentOf(order));
  for (let order = 0; order < 4_096; order += 1) timeline.take();
  // Two comparisons on each of twelve levels, of two to four looks each.
  expect(looks).toBeLessThan(4_096 * 12 * 8);
});
