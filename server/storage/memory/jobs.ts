import { usersOf } from '../../model/message.ts';
import type { Replay } from '../../model/replay.ts';
import { isComputation, isWithin, workspaceOf } from '../../model/resource-names.ts';
import type { Moment } from '../../ports/clock.ts';
import {
  type Erased,
  type ErasureRequest,
  type JobStorage,
  type LeaseRequest,
  MAX_REPLAYS,
  type Purged,
  type PurgeRequest,
  type ReplayOf,
  type ReplayProgress,
  type ReplayRequest,
  type ReplayStep,
} from '../job-storage.ts';
import type { Operations } from '../verbs.ts';
import { chooses } from './log.ts';
import { pageOf } from './page.ts';
import { byAcceptance, HOUR, type Rows, type StoredDelivery, type StoredReplay } from './rows.ts';
import { syncOperations } from './syncs.ts';

export function jobOperations(rows: Rows, node: string): Pick<Operations, keyof JobStorage> {
  return {
    leaseJob: (request) => leaseJob(rows, node, request),
    replay({ destination, delivery, at }) {
      const row = rows.deliveries.get(delivery);
      if (row?.destination !== destination) return 'missing';
      if (!isEnded(row)) return 'not ended';
      if (isTooOften(row)) return 'too often';
      if (isSuperseded(rows, row)) return 'superseded';
      replayOne(rows, row, at);
      return 'replayed';
    },
    createReplay: (replay) => createReplay(rows, replay),
    getReplay: (request) => replayOf(find(rows, request)),
    listReplays({ destination, after, limit }) {
      const all = [...rows.replays.values()].filter((one) => one.destination === destination && one.id > after);
      return all.slice(0, limit).flatMap((one) => replayOf(one) ?? []);
    },
    cancelReplay({ now, ...request }) {
      const replay = find(rows, request);
      if (replay?.state === 'running') rows.replays.set(replay.id, { ...replay, state: 'cancelled', endedAt: now });
      return replayOf(find(rows, request));
    },
    stepReplay: (step) => stepReplay(rows, step),
    runningReplays: () =>
      [...rows.replays.values()].filter(({ state }) => state === 'running').flatMap((one) => replayOf(one) ?? []),
    purge: (request) => purge(rows, request),
    eraseUsers: (request) => eraseUsers(rows, request),
  };
}

function leaseJob({ leases, options: { clock } }: Rows, node: string, { job, forMs }: LeaseRequest): boolean {
  const [now, held] = [clock.steady(), leases.get(job)];
  if (held !== undefined && held.node !== node && held.until > now) return false;
  leases.set(job, { node, until: now + forMs });
  return true;
}

function isTooOften({ replayed }: StoredDelivery): boolean {
  return replayed.length >= MAX_REPLAYS;
}

/** Whether it tells of a user what is not the last that its destination was told. */
function isSuperseded(rows: Rows, { id, destination, message: { source, event } }: StoredDelivery): boolean {
  if (!isComputation(source)) return false;
  const { userId: user = '' } = event;
  return rows.told.get(rows.toldKey({ computation: source, destination, user }))?.delivery !== id;
}

/** Makes a delivery that has ended pending again, with a fresh window and all its webhooks. */
function replayOne(rows: Rows, row: StoredDelivery, { wall, steady }: Moment): void {
  const { round, message, replayed } = row;
  const fresh = { dueAt: steady, setAt: steady, tries: 0, closed: [], earlierRounds: round };
  const note = { at: wall, earlierRounds: round };
  const window = { message: { ...message, receivedAt: steady } };
  rows.change(row, { state: 'pending', ...fresh, ...window, replayed: [...replayed, note] });
}

function createReplay(rows: Rows, { mostRunning, mostKept, ...replay }: ReplayRequest): Replay | undefined {
  const workspace = workspaceOf(replay.destination);
  const running = [...rows.replays.values()].filter(({ state }) => state === 'running');
  if (running.filter(({ destination }) => workspaceOf(destination) === workspace).length >= mostRunning)
    return undefined;
  const ended = [...rows.replays.values()].filter(
    ({ destination, state }) => destination === replay.destination && state !== 'running',
  );
  for (const { id } of ended.slice(0, Math.max(0, ended.length - mostKept))) rows.replays.delete(id);
  const id = rows.replays.size === 0 ? 1 : Math.max(...rows.replays.keys()) + 1;
  const lastOrder = rows.all().at(-1)?.order ?? 0;
  const stored = {
    ...replay,
    id,
    state: 'running',
    examined: 0,
    matched: 0,
    acceptedAt: 0,
    order: 0,
    lastOrder,
  } as const;
  rows.replays.set(id, stored);
  return withoutPlace(stored);
}

function find(rows: Rows, { destination, id }: ReplayOf): StoredReplay | undefined {
  const replay = rows.replays.get(id);
  return replay?.destination === destination ? replay : undefined;
}

function replayOf(stored: StoredReplay | undefined): Replay | undefined {
  return stored === undefined ? undefined : withoutPlace(stored);
}

function withoutPlace({ acceptedAt: _at, order: _order, lastOrder: _last, ...replay }: StoredReplay): Replay {
  return replay;
}

function stepReplay(rows: Rows, { replay: id, at, limit, waitingLimit }: ReplayStep): ReplayProgress | undefined {
  const replay = rows.replays.get(id);
  if (replay?.state !== 'running') return undefined;
  const { destination, filter, dryRun, lastOrder } = replay;
  const room = dryRun ? waitingLimit : waitingLimit - rows.pendingOf(destination).length;
  if (room <= 0) return { replay: withoutPlace(replay), replayed: 0, held: true };
  const left = rows
    .all()
    .filter((row) => row.destination === destination && row.order <= lastOrder && isBehind(row, replay))
    .toSorted(byAcceptance);
  const isChosen = (row: StoredDelivery): boolean =>
    chooses(filter, row) && !isTooOften(row) && !isSuperseded(rows, row);
  const chosen = left.filter(isChosen);
  const beyond = dryRun ? undefined : chosen[Math.min(limit, room)];
  const examined = beyond === undefined ? left : left.slice(0, left.indexOf(beyond));
  const matched = examined.filter(isChosen);
  if (!dryRun) for (const row of matched) replayOne(rows, row, at);
  const { acceptedAt, order } = examined.at(-1) ?? replay;
  const counted = { examined: replay.examined + examined.length, matched: replay.matched + matched.length };
  const end = beyond === undefined ? ({ state: 'finished', endedAt: at.wall } as const) : {};
  const moved = { ...replay, ...counted, acceptedAt, order, ...end };
  rows.replays.set(id, moved);
  return { replay: withoutPlace(moved), replayed: dryRun ? 0 : matched.length, held: false };
}

function isBehind(row: StoredDelivery, { acceptedAt, order }: StoredReplay): boolean {
  return row.acceptedAt > acceptedAt || (row.acceptedAt === acceptedAt && row.order > order);
}

function purge(rows: Rows, { endedBefore, seenBefore, usedBefore, after, limit }: PurgeRequest): Purged {
  const old = rows.all().filter(({ acceptedAt }) => acceptedAt < endedBefore);
  const page = pageOf(old, ({ order }) => order, { after, limit });
  const over = page.rows.filter((row) => isEnded(row) && row.endedAt < endedBefore && !rows.tellings.has(row.id));
  for (const row of over) rows.remove(row);
  const ids = [...rows.seen].filter(([, at]) => at < seenBefore);
  for (const [id] of ids) rows.seen.delete(id);
  for (const key of rows.counts.keys()) if (Number(JSON.parse(key)[0]) < endedBefore - HOUR) rows.counts.delete(key);
  for (const { id, endedAt = Infinity } of rows.replays.values()) if (endedAt < endedBefore) rows.replays.delete(id);
  purgeSyncs(rows, endedBefore);
  for (const used of rows.usedIds.values()) for (const [id, until] of used) if (until <= usedBefore) used.delete(id);
  return { deliveries: over.length, ids: ids.length, next: page.next };
}

/** The last of each stays: the next is numbered behind it. */
function purgeSyncs(rows: Rows, endedBefore: number): void {
  const open = new Set(syncOperations(rows).openSyncs());
  for (const [key, sync] of rows.syncs)
    if (!open.has(sync) && (sync.endedAt ?? Infinity) < endedBefore) rows.syncs.delete(key);
}

function isEnded({ state }: StoredDelivery): boolean {
  return state !== 'pending' && state !== 'trying';
}

function eraseUsers(rows: Rows, { scope, userIds, after, limit }: ErasureRequest): Erased {
  if (after === undefined) {
    eraseTold(rows, scope, userIds);
    eraseReplays(rows, scope, userIds);
  }
  const page = pageOf(rows.all(), ({ order }) => order, { after, limit });
  const theirs = page.rows.filter(({ message: { source, event } }) => {
    return isWithin(source, scope) && event.type !== 'delete' && usersOf(event).some((id) => userIds.includes(id));
  });
  for (const row of theirs) rows.remove(row);
  return { deliveries: theirs.length, next: page.next };
}

/** Whoever is about to tell something of them finds out; a sync that has come to one of them begins its destination anew. */
function eraseTold(rows: Rows, scope: string, userIds: readonly string[]): void {
  rows.erasures += 1;
  for (const sync of rows.syncs.values()) {
    const { after, ...cursor } = sync.cursor;
    if (after !== undefined && userIds.includes(after)) rows.keepSync({ ...sync, cursor });
  }
  for (const [key, { computation, user }] of rows.told) {
    if (computation.startsWith(`${scope}/`) && userIds.includes(user)) rows.told.delete(key);
  }
}

/** Bulk replays of one user, which name it. */
function eraseReplays(rows: Rows, scope: string, userIds: readonly string[]): void {
  for (const { id, destination, filter } of rows.replays.values())
    if (filter.userId !== undefined && userIds.includes(filter.userId) && destination.startsWith(`${scope}/`))
      rows.replays.delete(id);
}
