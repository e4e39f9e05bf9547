import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { startEngine, targetOf } from '../support/engine.ts';

test.each([
  ['is sent where another router was told of its destination', true, 'delivered', 1],
  ['is cancelled where its destination is off for all', false, 'cancelled', 0],
])('NODE-5: what was accepted %s', async (_case, isOn, state, posts) => {
  const engine = await startEngine(() => answers(200), {
    targetAtLast: async () => (isOn ? targetOf('https://example.test/hook') : undefined),
  });
  engine.targets.clear();
  await engine.send();
  await engine.clock.advance(1_000);
  expect(engine.store.deliveries).toMatchObject([{ state }]);
  expect(engine.transport.posts).toHaveLength(posts);
});
