import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { openDirectory } from '../../directory/directory.ts';
import { audienceUpkeep, type UpkeepPorts } from '../../jobs/audience-upkeep.ts';
import { profileBeginnings } from '../../jobs/profile-beginnings.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { NOTHING_FOLDED } from '../../storage/profile-storage.ts';
import { workspace } from '../support/config-resources.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { openMemory } from '../support/memory-storage.ts';
import { MINUTE } from '../support/notice-world.ts';
import { startedNoticeWorld } from '../support/started-notice-world.ts';

const FULL = new Error('the disk is full');
const BEHIND = 'workspaces/behind/sources/shop';

test('SAFE-2: a workspace of which it cannot be stored how its destinations fare keeps none behind it from theirs', async () => {
  const world = await startedNoticeWorld({
    shop: () => 500,
    spoil: (own) => {
      const update = own.resources.update.bind(own.resources);
      const refusing: typeof update = (kind, name, ...rest) =>
        name.startsWith('workspaces/main/') ? Promise.reject(FULL) : update(kind, name, ...rest);
      return { ...own, resources: Object.assign(own.resources, { update: refusing }) };
    },
  });
  await world.addShop('behind');
  for (let minute = 0; minute < 30; minute += 1) {
    await world.send();
    await world.send(0, BEHIND);
    await world.clock.advance(MINUTE);
  }
  const about = world.heard.map(({ event, properties }) => `${event} ${String(properties['destination'])}`);
  expect(about).toEqual([`destination.parked ${BEHIND}/destinations/webhooks`]);
});

test('SAFE-2: a sync of a deleted audience that cannot be forgotten keeps none behind it from being', async () => {
  const [forgotten, evaluation] = [new Array<string>(), newEvaluation()];
  const none = { sent: 0, delivered: 0, failed: 0, expired: 0, superseded: 0, held: 0 };
  const sync = { ...none, number: 1, state: 'DONE', startedAt: 0, cursor: { destinations: [] } } as const;
  const names = ['one', 'two', 'three'].map((id) => `workspaces/main/audiences/${id}`);
  const ports: UpkeepPorts = {
    ...evaluation,
    clock: new VirtualClock(),
    directory: await openDirectory(openMemory().resources, evaluation),
    profiles: { fold: () => Promise.resolve(NOTHING_FOLDED), tidy: () => Promise.resolve(false) },
    tellings: {
      openSyncs: () => Promise.resolve(names.map((computation) => ({ ...sync, computation }))),
      settle: () => Promise.reject(new Error('all of them are of deleted audiences')),
      forgetTold: ({ computation }) => {
        forgotten.push(computation);
        return computation === names[0] ? Promise.reject(FULL) : Promise.resolve(false);
      },
    },
  };
  const job = (await audienceUpkeep(ports).find()).find(({ name }) => name === 'closeSyncs');
  await expect(job?.step()).rejects.toThrow(FULL.message);
  expect(forgotten).toEqual(names);
});

test('SAFE-2: a workspace that cannot be told since when its profiles are kept keeps none behind it from being', async () => {
  const { resources: config, ...storage } = openMemory();
  const [clock, log] = [new VirtualClock(), new RecordingLog()];
  for (const slug of ['one', 'two', 'three']) await config.create('workspaces', workspace(slug));
  const directory = await openDirectory(config, newEvaluation());
  const [create, remove] = [config.create.bind(config), config.remove.bind(config)];
  const refusing: typeof create = (kind, row, ...rest) =>
    row.name.startsWith('workspaces/one/') ? Promise.reject(FULL) : create(kind, row, ...rest);
  const ports = { config: { create: refusing, remove }, directory, clock, policy: 'always' as const };
  const runner = new JobRunner({ storage, clock, log }, [profileBeginnings(ports)]);
  onTestFinished(() => runner.stop());
  runner.start();
  await clock.advance(MINUTE);
  const kept = directory.workspaces().filter((name) => directory.computations(name).keepsProfiles);
  expect(kept).toEqual(['workspaces/two', 'workspaces/three']);
});
