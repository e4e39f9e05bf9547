import { afterAll, beforeEach } from 'vitest';
import { watchSentBodies } from '../../contract/sent-bodies.ts';

/** The word by which a test says that it sends broken bodies on purpose. */
const ON_PURPOSE = 'broken-bodies';

/*
 * Runs before every test file (vitest.config.ts): a webhook body that breaks the contract fails the test during which a
 * router sent it, whatever that test looks at.
 */
const bodies = watchSentBodies();

beforeEach(({ task, onTestFinished }) => {
  // Registered first, and so called last: after the test's own routers have stopped.
  onTestFinished(() => refuse(bodies.takeBreaches(), task.tags?.includes(ON_PURPOSE) === true));
});

afterAll(() => {
  bodies.stop();
  refuse(bodies.takeBreaches(), false);
});

function refuse(breaches: readonly string[], isOnPurpose: boolean): void {
  if (isOnPurpose || breaches.length === 0) return;
  throw new Error(
    `webhook bodies that break the contract were sent; fix the router, or tag the test '${ON_PURPOSE}':\n${breaches.join('\n')}`,
  );
}
