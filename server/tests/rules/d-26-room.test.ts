import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { Dispatcher } from '../../delivery/dispatcher.ts';
import { DEFAULT_POLICY } from '../../delivery/policy.ts';
import { messageOf, startEngine, targetOf } from '../support/engine.ts';

const EACH = 2_000;

function named(name: string): string {
  return `workspaces/main/sources/${name}/destinations/webhooks`;
}

/** A dispatcher that starts on what waits on disk for destinations, of which those named `hang…` never answer. */
async function startOnBacklog(names: readonly string[], policy = DEFAULT_POLICY) {
  const silence = { afterMs: 60_000, result: answers(200).result };
  const {
    dispatcher: first,
    clock,
    store,
    targets,
    transport,
  } = await startEngine(({ request }) => (request.url.includes('hang') ? silence : { ...answers(200), afterMs: 5 }));
  await first.stop(0);
  for (const name of names) targets.set(named(name), targetOf(`https://${name}.test/`));
  const backlog = names.flatMap((name) => Array.from({ length: EACH }, (_, index) => ({ name, index })));
  await store.accept(
    backlog.map(({ name, index }) => ({
      message: { ...messageOf(clock, { messageId: `${name}-${index}` }), source: name },
      routes: [{ destination: named(name), claimed: false }],
    })),
  );
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const target = (name: string) => Promise.resolve(targets.get(name));
  const dispatcher = new Dispatcher({ policy, clock, random: () => 0.5, transport, targets: target, log, store });
  await dispatcher.start();
  const count = (state: string, name?: string): number =>
    store.deliveries.filter((d) => d.state === state && (name === undefined || d.destination === named(name))).length;
  return { clock, count };
}

test('D-26: backlogs of hanging destinations do not hold up a healthy one', async () => {
  const hanging = Array.from({ length: 12 }, (_, index) => `hang${index}`);
  const { clock, count } = await startOnBacklog([...hanging, 'well']);
  await clock.advance(2_000);
  expect(count('delivered', 'well')).toBe(EACH);
});

test('D-26: claims in memory stay within their bound, however many destinations ask', async () => {
  const totalRoom = 200;
  const names = Array.from({ length: 20 }, (_, index) => `hang${index}`);
  const { clock, count } = await startOnBacklog(names, { ...DEFAULT_POLICY, totalRoom, rampStart: 32 });
  await clock.advance(10);
  expect(count('trying')).toBeGreaterThan(totalRoom / 2);
  expect(count('trying')).toBeLessThanOrEqual(totalRoom + DEFAULT_POLICY.inFlight);
});
