import { expect, onTestFinished, test } from 'vitest';
import type { Definition } from '../../model/definition.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import { type AudienceWorld, SOURCE } from '../support/audience-world.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const GOOD = `${SOURCE}/destinations/webhooks`;
const BOUGHT: Definition = { events: { where: "event = 'Bought'" } };

/** `fails`: before it fails; resolves where it is to be computed after all. */
async function startFailing(fails: (world: AudienceWorld) => Promise<void>): Promise<AudienceWorld> {
  const world: AudienceWorld = await startedWorld({
    spoil: ({ profiles, ...stores }) => {
      const compute: ProfileStorage['compute'] = async (request) => {
        if (request.computation.includes('bad')) await fails(world);
        return profiles.compute(request);
      };
      return { ...stores, profiles: { ...profiles, compute } };
    },
  });
  return world;
}

const jobLines = (world: AudienceWorld): string[] =>
  world.log.lines.map(({ message }) => message).filter((message) => message.startsWith('job '));

test('AUD-4: audiences that cannot be computed do not keep another from its sync', async () => {
  const world = await startFailing(() => Promise.reject(new Error('statement timeout')));
  for (let at = 0; at < 10; at += 1) await world.audience(`bad${at}`, BOUGHT, []);
  await world.send({ userId: 'ada' });
  await world.advance(11 * SECOND);
  await world.audience('good', BOUGHT, [GOOD]);
  await world.advance(11 * SECOND);
  expect(world.told()).toEqual(['ada good true']);
});

test('AUD-4: an audience that cannot be computed fails after a minute, is logged once, and comes again', async () => {
  let tries = 0;
  const world = await startFailing(() => Promise.reject(new Error(`statement timeout ${(tries += 1)}`)));
  const name = await world.audience('bad', BOUGHT);
  await world.advance(2 * MINUTE);
  const [sync] = await world.syncs(name);
  expect(sync).toMatchObject({ state: 'FAILED', reason: `statement timeout ${tries}` });
  expect((sync?.endedAt ?? 0) - (sync?.startedAt ?? 0)).toBeGreaterThanOrEqual(MINUTE);
  expect(tries).toBeLessThan(10);
  expect(jobLines(world)).toEqual(['job failed, retrying']);
  await world.advance(10 * MINUTE);
  expect(await world.syncs(name)).toHaveLength(2);
});

test('AUD-4: a computation that fails for a moment is done once it can be', async () => {
  let tries = 0;
  const world = await startFailing(async () => {
    if ((tries += 1) <= 4) throw new Error('the storage is away');
  });
  const name = await world.audience('bad', BOUGHT);
  await world.send({ userId: 'ada' });
  await world.advance(MINUTE);
  expect(world.told()).toEqual(['ada bad true']);
  expect((await world.syncs(name)).map(({ state }) => state)).toEqual(['DONE']);
  expect(jobLines(world)).toEqual(['job failed, retrying', 'job resumed']);
});

test('AUD-4: a computation that takes twenty minutes to fail is tried three times', async () => {
  let tries = 0;
  const end = new AbortController();
  const world = await startFailing(async ({ clock }) => {
    tries += 1;
    await clock.sleep(20 * MINUTE, end.signal);
    throw new Error('statement timeout');
  });
  onTestFinished(() => end.abort());
  const name = await world.audience('bad', BOUGHT);
  await world.advance(62 * MINUTE);
  expect(tries).toBe(3);
  expect((await world.syncs(name))[0]).toMatchObject({ state: 'FAILED' });
});
