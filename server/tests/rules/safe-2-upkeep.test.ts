import { expect, test } from 'vitest';
import { audienceUpkeep, type UpkeepPorts } from '../../jobs/audience-upkeep.ts';
import { JobRunner } from '../../jobs/runner.ts';
import { NOTHING_FOLDED } from '../../storage/profile-storage.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { startedWorld } from '../support/started-audience-world.ts';

const MINUTE = 60_000;

/** How often each verb was asked, where that of this name is not answered before `answer` is called. */
async function askedBeside(verb: 'fold' | 'openSyncs' | 'tidy') {
  const { directory, undecided } = await startedWorld();
  const asked = { fold: 0, openSyncs: 0, tidy: 0 };
  const answered = Promise.withResolvers<void>();
  const ask = async <T>(name: keyof typeof asked, answer: T): Promise<T> => {
    asked[name] += 1;
    if (name === verb) await answered.promise;
    return answer;
  };
  const [clock, log] = [new VirtualClock(0), new RecordingLog()];
  const ports: UpkeepPorts = {
    directory,
    undecided,
    clock,
    profiles: { fold: () => ask('fold', NOTHING_FOLDED), tidy: () => ask('tidy', false) },
    tellings: {
      openSyncs: () => ask('openSyncs', []),
      settle: () => Promise.reject(new Error('no sync is open')),
      forgetTold: () => Promise.reject(new Error('no sync is open')),
    },
  };
  const storage = { leaseJob: () => Promise.resolve(true) };
  const runner = new JobRunner({ clock, log, storage }, [audienceUpkeep(ports)]);
  runner.start();
  await clock.advance(5 * MINUTE);
  answered.resolve();
  await runner.stop();
  return asked;
}

test.each(['fold', 'openSyncs', 'tidy'] as const)(
  'SAFE-2: while %s waits for what a workspace has, all else goes on between the runs of audiences',
  async (verb) => {
    const { [verb]: waits, ...others } = await askedBeside(verb);
    expect(waits).toBe(1);
    for (const times of Object.values(others)) expect(times).toBeGreaterThanOrEqual(5);
  },
);
