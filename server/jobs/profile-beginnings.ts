import { profilesFrom } from '../audiences/computations.ts';
import type { ComputedDirectory } from '../audiences/all-computations.ts';
import type { Clock } from '../ports/clock.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { JobKind, Next } from './runner.ts';

export interface BeginningPorts {
  readonly config: Pick<ConfigStore, 'create' | 'remove'>;
  readonly directory: ComputedDirectory;
  readonly clock: Pick<Clock, 'now'>;
  readonly policy: Settings['profiles'];
}

/**
 * Writes into each workspace since when its profiles are kept, where they are kept whatever is computed; else takes that away.
 * It is a row of the workspace: what was routed by an earlier version is refused, so that all of it is caught since.
 */
export function profileBeginnings(ports: BeginningPorts): JobKind {
  const { directory, policy } = ports;
  return {
    name: 'profile-beginnings',
    atOnce: 1,
    find: () => {
      const kept = policy === 'always';
      const wrong = directory.workspaces().filter((name) => directory.computations(name).keepsProfiles !== kept);
      return Promise.resolve(
        wrong.map((workspace) => ({ name: workspace, workspace, step: () => mend(ports, workspace) })),
      );
    },
  };
}

async function mend({ config, clock, policy }: BeginningPorts, workspace: string): Promise<Next> {
  const name = `${workspace}/profile-beginnings/profiles`;
  if (policy === 'always') {
    const now = new Date(clock.now()).toISOString();
    await config.create('profile-beginnings', { name, profiles_from: now }, 1, (one, home) => {
      // What stands goes on: with another beginning it would begin anew.
      const standing = [...home.all('audiences'), ...home.all('computed-traits')];
      return { ...one, profiles_from: profilesFrom(standing) ?? now };
    });
  } else {
    await config.remove('profile-beginnings', name);
  }
  return 'over';
}
