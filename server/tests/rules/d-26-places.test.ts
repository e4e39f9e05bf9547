import { batchOf } from '../support/memory-storage.ts';
import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { messageOf, startEngine, targetOf } from '../support/engine.ts';

const { inFlight, perDestination } = DEFAULT_POLICY;
/** So many successes that a destination may have as much in flight as any. */
const PROOF = 2 * perDestination;
/** More than fits into memory together, and than one queue may keep there. */
const BACKLOG = 1_200;

function named(name: string): string {
  return `workspaces/main/sources/${name}/destinations/webhooks`;
}

/** Destinations that have proven themselves, and of which all but `well` stop answering at one moment, with a backlog each. */
async function startHanging(count: number) {
  const names = Array.from({ length: count }, (_, index) => `hang${index}`);
  let areDown = false;
  const silence = { afterMs: 60_000, result: answers(200).result };
  const engine = await startEngine(({ request }) =>
    areDown && request.url.includes('hang') ? silence : { ...answers(200), afterMs: 5 },
  );
  const { clock, store, targets, dispatcher } = engine;
  for (const name of [...names, 'well']) targets.set(named(name), targetOf(`https://${name}.test/`));
  const accept = async (name: string, prefix: string, events: number): Promise<void> => {
    const messages = Array.from({ length: events }, (_, index) => messageOf(clock, { messageId: `${prefix}${index}` }));
    const routes = [{ destination: named(name), claimed: false }];
    await store.accept(batchOf(messages.map((message) => ({ message: { ...message, source: name }, routes }))));
    dispatcher.wake(named(name));
  };
  for (const name of [...names, 'well']) await accept(name, 'proof', PROOF);
  await clock.advance(2_000);
  areDown = true;
  for (const name of names) await accept(name, 'lost', BACKLOG);
  await clock.advance(10);
  const delivered = (name: string): number =>
    store.deliveries.filter((one) => one.destination === named(name) && one.state === 'delivered').length;
  return { ...engine, names, accept, delivered };
}

test('D-26: proven destinations that all hang at once leave places for the healthy', async () => {
  const { clock, names, accept, delivered, dispatcher } = await startHanging(2 * Math.ceil(inFlight / perDestination));
  expect(names.map((name) => delivered(name))).toEqual(names.map(() => PROOF));
  expect(dispatcher.inFlight).toBeGreaterThan(inFlight / 2);
  await accept('well', 'late', 100);
  await clock.advance(1_000);
  expect(delivered('well')).toBe(PROOF + 100);
});

test('D-26: however many that are new or fail hang at once, a proven destination goes on', async () => {
  const { clock, targets, accept, delivered, dispatcher } = await startHanging(0);
  const crowd = Array.from({ length: 2 * inFlight }, (_, index) => `hang${index}`);
  for (const name of crowd) targets.set(named(name), targetOf(`https://${name}.test/`));
  for (const name of crowd) await accept(name, 'lost', 8);
  // At the pace of trials, and before the first of them is given up.
  await clock.advance(2_000);
  expect(dispatcher.inFlight).toBe((inFlight * 7) / 8);
  await accept('well', 'late', 100);
  await clock.advance(1_000);
  expect(delivered('well')).toBe(PROOF + 100);
});

test('D-26: alone, a proven destination has as many in flight as it may', async () => {
  const { dispatcher } = await startHanging(1);
  expect(dispatcher.inFlight).toBe(perDestination);
});
