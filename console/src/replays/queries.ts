import type { NewReplay, Replay } from '@waybill/client/config';
import type { DeliverySearch } from '../deliveries/search.ts';
import { nameOf, type Place } from '../destinations/queries.ts';
import { paceOf, useRead } from '../session/workspace.tsx';

type ReplayFilter = NonNullable<NewReplay['filter']>;

const SHOWN = 5;

/** The last of a destination, newest first. */
export function useReplays(place: Place) {
  return useRead<readonly Replay[]>(
    replaysKey(place),
    async (client, signal, workspace) =>
      (await Array.fromAsync(client.replays.list(nameOf(workspace, place), { signal, pageSize: 1_000 })))
        .slice(-SHOWN)
        .toReversed(),
    { every: (list) => paceOf(list?.find(({ state }) => state === 'running')?.create_time) },
  );
}

export function replaysKey({ source, destination }: Place): readonly string[] {
  return ['sources', source, 'destinations', destination, 'replays'];
}

/** What is looked for, as a replay takes it; undefined for deliveries that have not ended: they cannot be sent again. */
export function filterOf({ state, type, event, user, hours }: DeliverySearch, now: number): ReplayFilter | undefined {
  if (state === 'pending' || state === 'trying') return undefined;
  return {
    ...(state === undefined ? {} : { state }),
    ...(type === undefined ? {} : { type }),
    ...(event === undefined ? {} : { event }),
    ...(user === undefined ? {} : { user_id: user }),
    ...(hours === undefined ? {} : { from: new Date(now - Number(hours) * 3_600_000).toISOString() }),
  };
}
