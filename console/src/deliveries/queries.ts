import type { DeliveryPage, DeliveryStory } from '@waybill/client/config';
import { nameOf, type Place } from '../destinations/queries.ts';
import { AT_REST_MS, useRead } from '../session/workspace.tsx';
import type { DeliverySearch } from './search.ts';

export type Story = DeliveryStory;

/** What has not ended is looked at more often than what has. */
const UNDER_WAY_MS = 6_000;

/** Which deliveries are looked for, and which of them are read at once. */
export interface PageAsked {
  readonly filter: Omit<DeliverySearch, 'source' | 'destination' | 'hours'> & { readonly from?: string };
  /** The `next_page_token` of the page before; the first has none. */
  readonly token: string;
  readonly size: number;
}

/** Pages but the first stand still, and are forgotten once nobody looks at them: lists may be long. */
const FORGOTTEN_MS = 1_000;

/** Newest first; only once it is known which destination. */
export function useDeliveryPage(place: Place | undefined, { filter, token, size }: PageAsked) {
  const { from, state, type, event, user } = filter;
  return useRead<DeliveryPage>(
    ['sources', place?.source, 'destinations', place?.destination, 'deliveries', { ...filter, size, token }],
    (client, signal, workspace) => {
      const asked = { from, state, type, event, user_id: user, signal, pageSize: size };
      const pageToken = token === '' ? undefined : token;
      return client.deliveries.page(nameOf(workspace, place ?? NOWHERE), { ...asked, pageToken });
    },
    { enabled: place !== undefined, ...(token === '' ? { every: AT_REST_MS } : { keptMs: FORGOTTEN_MS }) },
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
