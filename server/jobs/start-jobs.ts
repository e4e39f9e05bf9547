import type { Directory } from '../directory/directory.ts';
import type { Pipeline } from '../events/pipeline.ts';
import type { ItemEraser } from '../losses/erase-items.ts';
import type { LossReader } from '../losses/loss-reader.ts';
import type { Undecided } from '../losses/undecided.ts';
import type { Instruments } from '../operations/metrics/registry.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { Storage } from '../storage/storage.ts';
import { audienceRuns } from './audience-runs.ts';
import { audienceUpkeep } from './audience-upkeep.ts';
import { reEncryption } from './re-encryption.ts';
import { regulations } from './regulations.ts';
import { replays } from './replays.ts';
import { retention } from './retention.ts';
import { notices } from './notices.ts';
import { profileBeginnings } from './profile-beginnings.ts';
import { JobRunner } from './runner.ts';

export interface JobParts {
  readonly directory: Directory;
  readonly pipeline: Pipeline;
  readonly losses: ItemEraser & Pick<LossReader, 'undecided'>;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly instruments: Pick<Instruments, 'notices'>;
  /** Told that deliveries of a destination are due on disk. */
  readonly wake: (destination: string) => void;
  readonly clock: Clock;
  readonly log: Log;
}

type JobSettings = Pick<Settings, 'retentionMs' | 'audienceIntervalMs' | 'profiles'>;

/** All background work; what an earlier process left is resumed. */
export async function startJobs(
  { retentionMs, audienceIntervalMs: intervalMs, profiles: policy }: JobSettings,
  stored: Storage,
  parts: JobParts,
): Promise<JobRunner> {
  const { resources: config, jobs: storage, profiles, tellings, shared, resealing } = stored;
  const ports = { ...parts, config, storage, profiles, tellings };
  const runner = new JobRunner(ports, [
    replays(ports),
    await regulations(ports),
    audienceRuns({ ...ports, intervalMs }),
    audienceUpkeep(ports),
    profileBeginnings({ ...ports, policy }),
    notices({
      ...ports,
      counts: (query) => stored.log.counts(query),
      counted: (notice) => parts.instruments.notices.inc({ notice }),
    }),
    retention({ ...ports, retentionMs, shared }),
    ...(resealing === undefined ? [] : [reEncryption({ ...ports, resealing })]),
  ]);
  runner.start();
  await beginAtOnce(config, runner);
  return runner;
}

/** What is computed of users is computed as soon as its definition is new or another, whichever router was told. */
export function beginAtOnce(config: Pick<ConfigStore, 'watch'>, jobs: Pick<JobRunner, 'look'>): Promise<unknown> {
  return config.watch(() => jobs.look('audiences'), ['audiences', 'computed-traits']);
}
