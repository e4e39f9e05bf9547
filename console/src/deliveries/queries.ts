import type { Delivery, DeliveryStory } from '@waybill/client/config';
import { nameOf, type Place } from '../destinations/queries.ts';
import { take, type Taken } from '../session/take.ts';
import { AT_REST_MS, useRead } from '../session/workspace.tsx';
import type { DeliverySearch } from './search.ts';

export type Story = DeliveryStory;

/** What has not ended is looked at more often than what has. */
const UNDER_WAY_MS = 6_000;

/** The newest that a filter chooses; only once it is known which destination. */
export function useDeliveries(place: Place | undefined, search: DeliverySearch, count: number) {
  const { state, type, event, user, hours } = search;
  const key = [
    'sources',
    place?.source,
    'destinations',
    place?.destination,
    'deliveries',
    { state, type, event, user, hours, count },
  ];
  return useRead<Taken<Delivery>>(
    key,
    (client, signal, workspace) => {
      const from = hours === undefined ? undefined : new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
      const filter = { state, type, event, user_id: user, from, signal, pageSize: Math.min(count + 1, 1_000) };
      return take(client.deliveries.list(nameOf(workspace, place ?? NOWHERE), filter), count);
    },
    { every: AT_REST_MS, enabled: place !== undefined },
  );
}

const NOWHERE: Place = { source: '', destination: '' };

export function useStory(place: Place, id: string) {
  return useRead(
    ['sources', place.source, 'destinations', place.destination, 'deliveries', id],
    (client, signal, workspace) => client.deliveries.get(`${nameOf(workspace, place)}/deliveries/${id}`, { signal }),
    { every: (story) => (story?.state === 'pending' || story?.state === 'trying' ? UNDER_WAY_MS : false) },
  );
}
