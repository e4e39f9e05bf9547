import { expect, test } from 'vitest';
import { bench } from '../support/analytics-bench.ts';

const listeners = (): number => process.listenerCount('beforeExit');

test('clients listen for the end of the process only while they hold messages', async () => {
  const before = listeners();
  const [one, other] = [bench(), bench()];
  expect(listeners()).toBe(before);
  one.analytics.track('u', 'e');
  other.analytics.track('u', 'e');
  // One listener serves all of them.
  expect(listeners()).toBe(before + 1);
  await one.clock.until(one.analytics.flush());
  expect(listeners()).toBe(before + 1);
  await other.clock.until(other.analytics.close());
  expect(listeners()).toBe(before);
});
