import { collectionOf } from '../../model/resource-names.ts';
import type { Sync } from '../../model/sync.ts';
import type { ProfileStorage } from '../../storage/profile-storage.ts';
import type { TellingStorage } from '../../storage/telling-storage.ts';
import type { AudienceInstruments } from './audience-instruments.ts';

/** Tellings with what their syncs come to counted. */
export function measuredTellings(own: TellingStorage, instruments: AudienceInstruments): TellingStorage {
  return {
    ...own,
    async endSync(request) {
      const ended = await own.endSync(request);
      if (ended !== undefined && isEndedBy(request, ended)) countRun(ended, instruments);
      return ended;
    },
    async tell(request) {
      const answer = await own.tell(request);
      if (typeof answer === 'object')
        instruments.told.inc(
          kindOf(request),
          request.tellings.filter(({ user }) => !answer.heldBack.includes(user)).length,
        );
      return answer;
    },
    async settle(request) {
      const before = await own.getSync({ computation: request.computation, number: request.sync });
      const answer = await own.settle(request);
      if (before !== undefined && answer.sync !== undefined) countFailures(before, answer.sync, instruments);
      return answer;
    },
  };
}

/** One that has ended stays as it is, with the time at which it did. */
function isEndedBy({ state, now }: Pick<Sync, 'state'> & { readonly now: number }, ended: Sync): boolean {
  return ended.state === state && ended.endedAt === now;
}

function countRun(sync: Sync, { runs, runSeconds, heldBack }: AudienceInstruments): void {
  const { state, startedAt, endedAt = startedAt, held } = sync;
  const kind = kindOf(sync);
  runs.inc({ ...kind, state: state.toLowerCase() });
  heldBack.inc(kind, held);
  // The wall may have been set back meanwhile.
  if (state === 'DONE') runSeconds.observe(kind, Math.max(0, endedAt - startedAt) / 1000);
}

function countFailures(before: Sync, after: Sync, { notTold }: AudienceInstruments): void {
  for (const state of ['failed', 'expired'] as const) {
    notTold.inc({ ...kindOf(after), state }, Math.max(0, after[state] - before[state]));
  }
}

/** By the full name of an audience or computed trait. */
function kindOf({ computation }: Pick<Sync, 'computation'>): { readonly kind: 'audience' | 'computed_trait' } {
  return { kind: collectionOf(computation) === 'audiences' ? 'audience' : 'computed_trait' };
}

/** What the last run of each found, of each kind. */
export async function membersOf(
  tellings: Pick<TellingStorage, 'openSyncs' | 'listSyncs'>,
): Promise<Readonly<Record<'audience' | 'computed_trait', number>>> {
  const found = { audience: 0, computed_trait: 0 };
  const syncs = Map.groupBy(await tellings.openSyncs(), ({ computation }) => computation);
  for (const [computation, open] of syncs) {
    const [last] = open.toSorted((one, other) => other.number - one.number);
    // One that is being computed says nothing of it yet: the one before does.
    const known =
      last?.computed === undefined ? await tellings.listSyncs({ computations: [computation], limit: 2 }) : [last];
    found[kindOf({ computation }).kind] += known.find(({ computed }) => computed !== undefined)?.computed?.size ?? 0;
  }
  return found;
}

/** Profiles with the ids that they refuse counted. */
export function measuredProfiles(own: ProfileStorage, { refusedIds }: AudienceInstruments): ProfileStorage {
  return {
    ...own,
    async fold(request) {
      const folded = await own.fold(request);
      refusedIds.inc(folded.refusedIds);
      return folded;
    },
    async erase(request) {
      const erased = await own.erase(request);
      refusedIds.inc(erased.refusedIds);
      return erased;
    },
  };
}
