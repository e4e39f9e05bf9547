import { searchText } from '../session/search-text.ts';

export const STATES = ['pending', 'trying', 'delivered', 'failed', 'expired', 'cancelled'] as const;
export const TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias', 'delete'] as const;
export const HOURS = ['1', '24', '168'] as const;

/** What is looked for: part of the address, so that a view can be sent to others. */
export interface DeliverySearch {
  readonly source?: string;
  readonly destination?: string;
  readonly state?: (typeof STATES)[number];
  readonly type?: (typeof TYPES)[number];
  readonly event?: string;
  readonly user?: string;
  /** Accepted in the last so many hours. */
  readonly hours?: (typeof HOURS)[number];
}

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const state = STATES.find((one) => one === search['state']);
  const type = TYPES.find((one) => one === search['type']);
  const hours = HOURS.find((one) => one === String(search['hours']));
  return {
    ...searchText(search, 'source'),
    ...searchText(search, 'destination'),
    ...searchText(search, 'event'),
    ...searchText(search, 'user'),
    ...(state === undefined ? {} : { state }),
    ...(type === undefined ? {} : { type }),
    ...(hours === undefined ? {} : { hours }),
  };
}
