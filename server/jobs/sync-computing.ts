import type { Computation } from '../audiences/computations.ts';
import { hourOf } from '../audiences/hours.ts';
import type { Directory } from '../directory/directory.ts';
import type { LossReader } from '../losses/loss-reader.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Sync } from '../model/sync.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { ProfileStorage } from '../storage/profile-storage.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import type { FoldingUntilNow } from './fold-caught.ts';
import { heardBefore } from './heard-before.ts';
import { settleEnded } from './audience-upkeep.ts';
import type { SyncNext } from './audience-runs.ts';
import { undecidedSince } from './undecided-since.ts';

/** Behind each lot that is folded: others have their turn, however long it takes until all is. */
const OTHERS_TURN_MS = 1;
/** Users that are forgotten at a time, as what they were told was told to another destination. */
const LIMIT = 200;

export interface ComputingPorts {
  readonly losses: Pick<LossReader, 'undecided'>;
  readonly config: Pick<ConfigStore, 'get'>;
  readonly directory: Pick<Directory, 'computations'>;
  readonly profiles: Pick<ProfileStorage, 'compute'>;
  readonly tellings: Pick<
    TellingStorage,
    'openSyncs' | 'listSyncs' | 'settle' | 'toldDestinations' | 'forgetTold' | 'computedSync'
  >;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * A step towards who is in an audience, or what a computed trait is, and whom it is to be told. What was accepted before the sync
 * began is in it: what its workspace caught is folded first.
 */
export async function computeSync(
  computation: Computation,
  sync: Sync,
  folding: FoldingUntilNow,
  ports: ComputingPorts,
): Promise<SyncNext | 'computed'> {
  const { profiles, tellings, directory, clock } = ports;
  const { name, updateTime, digest } = computation;
  const { space } = directory.computations(workspaceOf(name));
  if (space === undefined) return { state: 'CANCELLED' };
  if ((await folding.step()).isMore) return OTHERS_TURN_MS;
  const { lastTime: undecided, reason } = await undecidedSince(sync, ports);
  if (reason !== undefined) return { state: 'FAILED', reason };
  // Who never heard what was told is told now, and not an interval later.
  const open = await tellings.openSyncs({ computation: name });
  if (await settleEnded(tellings, open)) return 0;
  const { keep, made } = await heardBefore(computation, sync, ports);
  if (await tellings.forgetTold({ computation: name, keep, limit: LIMIT, now: clock.now() })) return 0;
  const of = computation.at(hourOf(sync.startedAt));
  const counts = await profiles.compute({ space: space.id, computation: name, run: sync.number, of });
  const basis = { updateTime, digest, made, undecided };
  // One that is disabled may be enabled again until it is its turn.
  const destinations = computation.destinations.filter((one) => made[one] !== undefined);
  await tellings.computedSync({ computation: name, number: sync.number, counts, basis, destinations });
  return 'computed';
}
