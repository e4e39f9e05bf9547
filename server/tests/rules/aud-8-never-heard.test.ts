import { expect, test } from 'vitest';
import { answers } from '../../../testbed/simulation/simulated-transport.ts';
import { type AudienceWorld, HOUR, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const SECOND = 1_000;
const GOOD = `${SOURCE}/destinations/webhooks`;

interface Standing {
  readonly world: AudienceWorld;
  readonly name: string;
  readonly mend: () => void;
}

/** A member whose call waits, as its destination is down, with the look at what has ended just behind. */
async function startDown(): Promise<Standing> {
  let isUp = false;
  const world = await startedWorld({ endpoint: () => answers(isUp ? 200 : 503) });
  const name = await world.audience('buyers', { events: { where: "event = 'Bought'" } });
  await world.send({ userId: 'ada' });
  await world.advance(90.5 * SECOND);
  return { world, name, mend: () => (isUp = true) };
}

async function waitUntilNoneWaits({ store, advance }: { store: AudienceWorld['store']; advance: () => Promise<void> }) {
  while ((await store.waiting({ destination: GOOD, limit: 10 })) > 0) await advance();
}

/** A sync that somebody asks for, and the first look of jobs behind it. */
async function syncNow(world: AudienceWorld, computation: string): Promise<void> {
  await world.store.startSync({ computation, now: world.clock.now() });
  await world.advance(11 * SECOND);
}

test('AUD-8: a sync tells who never heard of the last one, as the destination was disabled until just before', async () => {
  const { world, name, mend } = await startDown();
  await world.setEnabled(GOOD, false);
  await waitUntilNoneWaits({ store: world.store, advance: () => world.advance(SECOND) });
  mend();
  await world.setEnabled(GOOD, true);
  await syncNow(world, name);
  expect(world.told()).toEqual(['ada buyers true']);
  expect((await world.syncs(name)).map(({ sent, superseded }) => ({ sent, superseded }))).toEqual([
    { sent: 1, superseded: 0 },
    { sent: 1, superseded: 1 },
  ]);
});

test('AUD-8: a sync tells who never heard of an earlier one, as its call has expired just before', async () => {
  const { world, name, mend } = await startDown();
  await world.advance(3 * HOUR);
  await waitUntilNoneWaits({ store: world.store, advance: () => world.advance(SECOND) });
  mend();
  await syncNow(world, name);
  // It is tried now and then whether the destination is up again.
  await world.advance(15 * 60 * SECOND);
  expect(world.told()).toEqual(['ada buyers true']);
});
