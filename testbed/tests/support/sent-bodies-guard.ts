import { afterAll, beforeEach } from 'vitest';
import { watchSentBodies } from '../../contract/sent-bodies.ts';

/** The word by which a test says that it sends broken bodies on purpose. */
const ON_PURPOSE = 'broken-bodies';

/** Examples that certify, and so send broken bodies. They are printed for readers, in whose projects a tag would be an error. */
const CERTIFYING_EXAMPLES = /\/testbed\/examples\/(?:first|webhook-endpoint)\.test\.ts$/;

/*
 * Runs before every test file (vitest.config.ts): a webhook body that breaks the contract fails the test during which a
 * router sent it, whatever that test looks at.
 */
const bodies = watchSentBodies();

beforeEach(({ task, onTestFinished }) => {
  // Registered first, and so called last: after the test's own routers have stopped.
  const isOnPurpose = task.tags?.includes(ON_PURPOSE) === true || CERTIFYING_EXAMPLES.test(task.file.filepath);
  onTestFinished(() => refuse(bodies.takeBreaches(), isOnPurpose));
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
