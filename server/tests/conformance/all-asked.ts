import { deliveryId } from '../../model/delivery.ts';
import { NO_SHARE } from '../../storage/members.ts';
import type { Storage } from '../../storage/storage.ts';
import { systemClock } from '../../system-clock.ts';
import { accepted, recordOf } from './delivery-store-events.ts';
import { batchOf } from '../support/memory-storage.ts';
import { GONE, OFTEN, SPACE } from '../support/much-stored.ts';
import { momentAt } from '../support/still-clock.ts';

/** A storage without its resources. */
export type Asked = Omit<Storage, 'resources' | 'checks' | 'close' | 'resealing' | 'snapshot'>;

/** All that a storage can be asked of a workspace, page by page and little of each; ids of deliveries begin behind `first`. */
export async function askAll(storage: Asked, workspace: string, first: number): Promise<void> {
  await askDeliveries(storage, `${workspace}/sources/s/destinations/d`);
  await askLog(storage, workspace, first);
  await askJobs(storage, workspace, first);
  await askTellings(storage, workspace);
  await askProfiles(storage, workspace);
  await askShared(storage, workspace);
}

async function askDeliveries({ deliveries, members }: Asked, destination: string): Promise<void> {
  const now = systemClock.steady();
  const one = { ...accepted(`m ${destination}`, true), routes: [{ destination, claimed: true }] };
  const [claims] = await deliveries.accept(batchOf([one]));
  if (claims !== 'duplicate')
    await deliveries.record((claims ?? []).map((claim) => recordOf(claim, { state: 'delivered' })));
  // From the beginning of the queue, and from where it was found to begin.
  for (const look of [{ which: 'due', now }, { which: 'received', upTo: now }, { which: 'probe' }] as const) {
    for (const limit of [1, 2]) {
      const taken = await deliveries.claim({ ...look, destination, limit });
      await deliveries.release(taken.claims);
    }
  }
  await deliveries.held({ limit: 9 });
  await deliveries.backlog({ limit: 9 });
  await members.beat();
  await members.members();
  await members.reap({ now });
  await members.exchange({ waits: [], circuits: [], division: NO_SHARE });
}

async function askLog({ log, counting, usedIds }: Asked, workspace: string, first: number): Promise<void> {
  const destination = `${workspace}/sources/s/destinations/d`;
  const times = { from: 0, to: 9 * 3_600_000 };
  for (const filter of [{}, { userId: 'nobody' }, { states: ['expired'] as const }, { to: 9 }])
    await log.list({ destination, filter, limit: 9 });
  await log.read({ destination, delivery: deliveryId(String(first + OFTEN)) });
  await log.counts({ destination, ...times });
  await log.sums({ destinations: [destination], ...times });
  await counting.addCounts([{ of: destination, hour: 0, what: 'x', count: 1 }]);
  await usedIds.useOnce({ owner: `${workspace}/sources/s`, id: 'x', now: 0, forMs: 9, limit: 9 });
}

async function askJobs({ jobs }: Asked, workspace: string, first: number): Promise<void> {
  const destination = `${workspace}/sources/s/destinations/d`;
  const at = momentAt(systemClock.steady());
  const made = await jobs.createReplay({
    destination,
    filter: {},
    dryRun: false,
    perSecond: 9,
    createdAt: 1,
    mostRunning: 9,
    mostKept: 9,
  });
  const replay = made?.id ?? 0;
  await jobs.stepReplay({ replay, at, limit: 9, waitingLimit: 1_000 });
  await jobs.getReplay({ destination, id: replay });
  await jobs.listReplays({ destination, after: 0, limit: 9 });
  await jobs.runningReplays();
  await jobs.cancelReplay({ destination, id: replay, now: 1 });
  await jobs.replay({ destination, delivery: deliveryId(String(first + OFTEN + 9)), at });
  await jobs.leaseJob({ job: workspace, forMs: 9 });
  await jobs.purge({ endedBefore: 9, seenBefore: 0, usedBefore: 0, limit: 9, after: String(first) });
  let after: string | undefined;
  for (let step = 0; step < 4; step += 1)
    ({ next: after } = await jobs.eraseUsers({ scope: workspace, userIds: ['nobody'], now: 1, limit: 9, after }));
}

async function askTellings({ tellings }: Asked, workspace: string): Promise<void> {
  const [computation, destination] = [`${workspace}/audiences/x`, `${workspace}/sources/s/destinations/d`];
  await tellings.openSyncs();
  await tellings.openSyncs({ computation });
  await tellings.listSyncs({ computations: [computation], limit: 9 });
  const { number: sync } = await tellings.startSync({ computation, now: 1 });
  const counts = { evaluated: 1, size: 1, entered: 1, left: 1 };
  await tellings.computedSync({ computation, number: sync, counts, destinations: [destination] });
  const { erasures } = await tellings.told({ computation, destination, limit: 9 });
  await tellings.toldDestinations({ computation });
  const cursor = { destinations: [] };
  const untold = { tellings: [], forgotten: ['u1'], silenced: ['u2'] };
  await tellings.tell({ computation, sync, destination, erasures, ...untold, cursor, now: 1 });
  await tellings.waiting({ destination, limit: 9 });
  await tellings.settle({ computation, sync, limit: 9 });
  await tellings.forgetTold({ computation, keep: [workspace], limit: 9, now: 1 });
  await tellings.forgetTold({ computation: `${workspace}/${GONE}`, limit: 9, now: 1 });
  await tellings.endSync({ computation, number: sync, state: 'DONE', now: 1 });
}

async function askProfiles({ profiles }: Asked, workspace: string): Promise<void> {
  const space = `${workspace}@${SPACE}`;
  await profiles.fold({ spaces: async () => [], limit: 9, workspace, upTo: await profiles.lastCaught() });
  await profiles.fold({ spaces: async () => [], limit: 9 });
  await profiles.results({ computation: `${workspace}/audiences/x`, limit: 9 });
  await profiles.profile({ space, user: 'u1', measures: [] });
  await profiles.standing({ space, users: ['u1'] });
}

async function askShared({ shared }: Asked, workspace: string): Promise<void> {
  const lost = { owner: `${workspace}/sources/1`, list: 'dropped' };
  await shared?.addLosses({
    counts: [{ ...lost, what: '', detail: '', count: 1, firstAt: 1, lastAt: 1 }],
    items: [{ ...lost, item: '{}' }],
  });
  await shared?.losses({ owners: [lost.owner], lists: [lost.list] });
  await shared?.take({ key: workspace, windowMs: 9 });
}
