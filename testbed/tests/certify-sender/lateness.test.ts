import { expect, test } from 'vitest';
import { earlyAmong } from '../../audit/rate-audit.ts';
import { Lateness } from '../../certify-sender/lateness.ts';

function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Of five a second, three were seen at once. */
function seen(lateMs: number) {
  return [0, 200, 1_000, 1_000, 1_000].map((at, index) => ({ at, lateMs: index < 2 ? 0 : lateMs }));
}

test('what comes while this process is busy is seen late, and that is known', async () => {
  const lateness = new Lateness();
  standStill(60);
  expect(lateness.ms).toBe(0);
  lateness.begin();
  standStill(300);
  const inTheMiddle = lateness.ms;
  // The beat that was late has passed when the next one is due.
  await new Promise((resolve) => setTimeout(resolve, 1));
  const afterwards = lateness.ms;
  lateness.close();
  expect(Math.min(inTheMiddle, afterwards)).toBeGreaterThan(250);
});

test('requests that wait for a busy process are not early for it, and the others are', () => {
  expect(earlyAmong(seen(0), 5, 50)).toEqual([
    { request: { at: 1_000, lateMs: 0 }, byMs: 50 },
    { request: { at: 1_000, lateMs: 0 }, byMs: 250 },
  ]);
  expect(earlyAmong(seen(600), 5, 50)).toEqual([]);
});
