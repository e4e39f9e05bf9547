import type { Telling, TellRequest, TellingStorage } from '../telling-storage.ts';
import { compareUsers } from '../../audiences/user-order.ts';
import { endsOf } from '../sync-rows.ts';
import type { Operations } from '../verbs.ts';
import type { Rows, StoredDelivery, StoredTold } from './rows.ts';
import { keepFresh } from './deliveries.ts';
import { syncOperations } from './syncs.ts';

export function tellingOperations(rows: Rows): Pick<Operations, keyof TellingStorage> {
  return {
    ...syncOperations(rows),
    told({ computation, destination, after, limit }) {
      const all = toldBy(rows, computation)
        .filter((one) => one.destination === destination && (after === undefined || compareUsers(one.user, after) > 0))
        .toSorted((a, b) => compareUsers(a.user, b.user));
      return { erasures: rows.erasures, told: all.slice(0, limit).map(({ user, value }) => ({ user, value })) };
    },
    toldDestinations: ({ computation }) => [
      ...new Set(toldBy(rows, computation).map(({ destination }) => destination)),
    ],
    tell: (request) => tell(rows, request),
    waiting: ({ destination, limit }) => Math.min(limit, rows.pendingOf(destination).length),
    settle: (request) => settle(rows, request),
    forgetTold: (request) => forgetTold(rows, request),
  };
}

function toldBy(rows: Rows, computation: string): StoredTold[] {
  return [...rows.told.values()].filter((one) => one.computation === computation);
}

function tell(rows: Rows, request: TellRequest): ReturnType<Operations['tell']> {
  const { computation, sync: number, tellings, forgotten, silenced, cursor } = request;
  const sync = rows.syncs.get(rows.syncKey({ computation, number }));
  if (request.erasures !== rows.erasures) return 'stale';
  if (sync?.state !== 'RUNNING') return 'over';
  let { sent, held } = sync;
  const heldBack: string[] = [];
  for (const telling of tellings) {
    const key = rows.toldKey({ ...request, user: telling.user });
    const before = rows.told.get(key);
    if (before !== undefined && before.sync >= number) continue;
    const wasHeld = before?.heldIn === number;
    const isBusy = before !== undefined && rows.deliveries.get(before.delivery)?.state === 'trying';
    if (isBusy) {
      heldBack.push(telling.user);
      rows.told.set(key, { ...before, heldIn: number });
      held += wasHeld ? 0 : 1;
      continue;
    }
    cancelWaiting(rows, before, request.now);
    rows.told.set(key, store(rows, request, telling));
    sent += 1;
    held -= wasHeld ? 1 : 0;
  }
  for (const user of forgotten) {
    const key = rows.toldKey({ ...request, user });
    cancelWaiting(rows, rows.told.get(key), request.now);
    rows.told.delete(key);
  }
  for (const user of silenced) {
    const told = rows.told.get(rows.toldKey({ ...request, user }));
    cancelWaiting(rows, told, request.now);
    if (told !== undefined && rows.deliveries.get(told.delivery)?.state === 'trying') heldBack.push(user);
  }
  const after = { ...sync, sent, held, cursor };
  rows.keepSync(after);
  return { sync: after, heldBack };
}

/** As the record of a round ends it; its own sync counts it when it settles. */
function cancelWaiting(rows: Rows, told: StoredTold | undefined, now: number): void {
  const row = told && rows.deliveries.get(told.delivery);
  if (row?.state !== 'pending') return;
  rows.change(row, { state: 'cancelled', endedAt: now });
  rows.count(row.destination, now, 'cancelled');
  bringForward(rows, row);
}

/** What was behind it, and nobody has tried, waits for its end no more. */
function bringForward(rows: Rows, ended: Pick<StoredDelivery, 'destination' | 'line'>): void {
  const next = rows.firstOf(ended);
  if (next?.state === 'pending' && next.tries === 0) rows.change(next, { dueAt: next.message.receivedAt });
}

function store(
  rows: Rows,
  { computation, destination, sync }: TellRequest,
  { user, value, message, line }: Telling,
): StoredTold {
  const { id } = keepFresh(rows, message, { destination, line }, undefined);
  rows.tellings.set(id, { computation, sync });
  return { computation, destination, user, value, sync, delivery: id, heldIn: 0 };
}

function settle(
  rows: Rows,
  { computation, sync: number, limit }: Parameters<Operations['settle']>[0],
): ReturnType<Operations['settle']> {
  const own = [...rows.tellings].filter(([, one]) => one.computation === computation && one.sync === number);
  const ended = own
    .map(([delivery]) => ({ delivery, row: rows.deliveries.get(delivery) }))
    .filter(({ row }) => row?.state !== 'pending' && row?.state !== 'trying')
    .slice(0, limit);
  for (const { delivery, row } of ended) {
    rows.tellings.delete(delivery);
    if (row?.state !== 'expired' && row?.state !== 'cancelled') continue;
    const { userId: user = '' } = row.message.event;
    const key = rows.toldKey({ computation, destination: row.destination, user });
    const told = rows.told.get(key);
    if (told?.delivery === delivery) rows.told.set(key, { ...told, value: undefined });
  }
  const sync = rows.syncs.get(rows.syncKey({ computation, number }));
  if (sync !== undefined) {
    const ends = endsOf(ended.map(({ row }) => row?.state ?? null));
    const { delivered, failed, expired, superseded } = sync;
    rows.keepSync({
      ...sync,
      delivered: delivered + ends.delivered,
      failed: failed + ends.failed,
      expired: expired + ends.expired,
      superseded: superseded + ends.superseded,
    });
  }
  return {
    sync: rows.syncs.get(rows.syncKey({ computation, number })),
    isMore: ended.length === limit,
  };
}

function forgetTold(rows: Rows, { computation, keep, limit, now }: Parameters<Operations['forgetTold']>[0]): boolean {
  const gone = toldBy(rows, computation).filter(({ destination }) => keep?.includes(destination) !== true);
  for (const told of gone.slice(0, limit)) {
    rows.told.delete(rows.toldKey(told));
    if (keep === undefined) continue;
    cancelWaiting(rows, told, now);
    const isTried = rows.deliveries.get(told.delivery)?.state === 'trying';
    if (isTried) rows.told.set(rows.toldKey(told), { ...told, value: undefined, heldIn: 0 });
  }
  if (gone.length >= limit) return true;
  if (keep !== undefined) return false;
  const left = limit - gone.length - removed(rows.tellings, computation, limit - gone.length);
  return removed(rows.syncs, computation, left) === left;
}

/** Removes the first of a computation, and answers how many. */
function removed<Key>(from: Map<Key, { readonly computation: string }>, computation: string, limit: number): number {
  const keys = [...from].flatMap(([key, one]) => (one.computation === computation ? [key] : [])).slice(0, limit);
  for (const key of keys) from.delete(key);
  return keys.length;
}
