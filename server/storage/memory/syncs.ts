import type { Sync } from '../../model/sync.ts';
import type { TellingStorage } from '../telling-storage.ts';
import type { Operations } from '../verbs.ts';
import type { Rows } from './rows.ts';

type SyncOperations = Pick<
  Operations,
  Extract<keyof TellingStorage, 'openSyncs' | 'listSyncs' | 'getSync' | 'startSync' | 'computedSync' | 'endSync'>
>;

export function syncOperations(rows: Rows): SyncOperations {
  return {
    openSyncs: (of) => openAmong(of === undefined ? [...rows.syncs.values()] : syncsOf(rows, of.computation), rows),
    listSyncs: ({ computations, before = Infinity, limit }) =>
      computations.flatMap((computation) => {
        const earlier = syncsOf(rows, computation).filter(({ number }) => number < before);
        return earlier.toReversed().slice(0, limit);
      }),
    getSync: (which) => rows.syncs.get(rows.syncKey(which)),
    startSync(request) {
      const last = syncsOf(rows, request.computation).at(-1);
      if (last?.state === 'RUNNING') return last;
      const sync = newSync(request, (last?.number ?? 0) + 1);
      rows.keepSync(sync);
      return sync;
    },
    computedSync({ counts, basis, destinations, ...which }) {
      const sync = rows.syncs.get(rows.syncKey(which));
      if (sync?.state !== 'RUNNING') return undefined;
      const found = { computed: counts, cursor: { destinations } };
      rows.keepSync({ ...sync, ...found, ...(basis === undefined ? {} : { basis }) });
      return rows.syncs.get(rows.syncKey(which));
    },
    endSync({ state, reason, now, ...which }) {
      const sync = rows.syncs.get(rows.syncKey(which));
      const why = reason === undefined ? {} : { reason };
      if (sync?.state === 'RUNNING') {
        const { after: _after, ...cursor } = sync.cursor;
        rows.keepSync({ ...sync, state, cursor, ...why, endedAt: now });
      }
      return rows.syncs.get(rows.syncKey(which));
    },
  };
}

function newSync({ computation, now }: Parameters<Operations['startSync']>[0], number: number): Sync {
  const none = { sent: 0, delivered: 0, failed: 0, expired: 0, superseded: 0, held: 0 };
  return { computation, number, state: 'RUNNING', startedAt: now, cursor: { destinations: [] }, ...none };
}

/** In the order of their numbers. */
function syncsOf(rows: Rows, computation: string): Sync[] {
  return [...rows.syncs.values()].filter((sync) => sync.computation === computation);
}

/** Of syncs that stand in the order of their numbers. A simulation asks in each ten seconds of its time. */
function openAmong(syncs: readonly Sync[], rows: Rows): Sync[] {
  const last = new Map(syncs.map(({ computation, number }) => [computation, number]));
  const tellings = Map.groupBy(rows.tellings.values(), ({ computation }) => computation);
  return syncs.filter(({ computation, number, state }) => {
    const hasTellings = (): boolean => tellings.get(computation)?.some(({ sync }) => sync === number) ?? false;
    return state === 'RUNNING' || last.get(computation) === number || hasTellings();
  });
}
