import type { Clock } from '../../ports/clock.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { workspaceOf } from '../../model/resources.ts';
import type { StoredRegulation } from '../../model/regulation.ts';
import type { JobStorage } from '../../storage/job-storage.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Pipeline } from '../../events/pipeline.ts';
import { noticesOf } from './notices.ts';
import { begun, effectsOf, finished, scopeOf, withSourceFinished } from './regulation.ts';
import { rowsAfter } from './rows.ts';

export interface RunPorts {
  readonly config: ConfigStore;
  readonly userData: Pick<JobStorage, 'eraseUsers'>;
  readonly directory: Pick<Directory, 'source'>;
  /** For the `delete` events, which are not to be dropped as events of suppressed users. */
  readonly pipeline: Pick<Pipeline, 'announce'>;
  readonly clock: Clock;
}

/** Deliveries that one transaction looks at: it must not hold up what is being delivered. */
const ERASE_LIMIT = 500;
const NOTICES_AT_ONCE = 500;

/**
 * Carries out a regulation, or what is left of it: marks it, deletes what is stored, tells each source, and ends it. Every
 * step may be repeated, so a process that ends in the middle loses nothing. Stops between steps once `signal` aborts.
 */
export async function run(ports: RunPorts, name: string, signal: AbortSignal): Promise<void> {
  const { config, clock } = ports;
  const sources = (await rowsAfter(config, 'sources', workspaceOf(name))).map(({ resource }) => resource.name);
  const regulation = await config.update('regulations', name, (current) => begun(current, sources));
  if (regulation === undefined) return;
  const { deletes, notifies } = effectsOf(regulation);
  if (deletes) await deleteStored(ports, regulation, signal);
  for (const { source_name: source, status } of regulation.source_status) {
    if (signal.aborted) return;
    if (status === 'FINISHED') continue;
    if (notifies) await notify(ports, regulation, source);
    await config.update('regulations', name, (current) => withSourceFinished(current, source));
  }
  if (signal.aborted) return;
  await config.update('regulations', name, (current) => finished(current, new Date(clock.now()).toISOString()));
}

async function deleteStored(
  { userData, clock }: RunPorts,
  regulation: StoredRegulation,
  signal: AbortSignal,
): Promise<void> {
  const [scope, userIds] = [scopeOf(regulation), regulation.user_ids];
  let after: string | undefined;
  do {
    const request = { scope, userIds, now: clock.now(), after, limit: ERASE_LIMIT };
    ({ next: after } = await userData.eraseUsers(request));
  } while (after !== undefined && !signal.aborted);
}

async function notify({ directory, pipeline }: RunPorts, regulation: StoredRegulation, source: string): Promise<void> {
  // A source without an enabled webhooks destination is told nothing (HOOK-16).
  if (!directory.source(source)?.routes.length) return;
  const notices = noticesOf(regulation);
  for (let begin = 0; begin < notices.length; begin += NOTICES_AT_ONCE) {
    const events = notices.slice(begin, begin + NOTICES_AT_ONCE);
    await pipeline.announce({ source, events });
  }
}
