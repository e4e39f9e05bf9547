import { expect, test } from 'vitest';
import { openDirectory } from '../../directory/directory.ts';
import { audienceUpkeep } from '../../jobs/audience-upkeep.ts';
import { Memory } from '../../storage/memory/memory.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { audience, workspace } from '../support/config-resources.ts';
import { newEvaluation } from '../support/evaluation.ts';
import { openMemoryProfiles } from '../support/memory-profiles.ts';

/** The upkeep of a router that hears of what another changed when it asks, beside that other. */
async function startBehind() {
  const clock = new VirtualClock();
  const memory = new Memory({ clock, hearLater: () => undefined });
  const [other, own] = [memory.open('other'), memory.open('own')];
  const [profiles, evaluation] = [await openMemoryProfiles(own), newEvaluation(clock)];
  const directory = await openDirectory(own.resources, evaluation);
  const upkeep = audienceUpkeep({ directory, profiles, tellings: own, ...evaluation });
  const lookAtAll = async (): Promise<void> => {
    for (const job of await upkeep.find()) await job.step();
  };
  await other.resources.create('workspaces', workspace('main'));
  return { clock, other, lookAtAll };
}

test('AUD-3: a first sync that another router has just begun is not taken for that of a deleted audience', async () => {
  const { clock, other, lookAtAll } = await startBehind();
  const made = audience('main', 'aud_new');
  const { name: computation } = made;
  await other.resources.create('audiences', made);
  await other.startSync({ computation, now: clock.now() });
  await lookAtAll();
  expect(await other.openSyncs()).toMatchObject([{ computation, number: 1, state: 'RUNNING' }]);
  await other.resources.remove('audiences', computation);
  await lookAtAll();
  expect(await other.openSyncs()).toEqual([]);
});
