import type { ConfigClient, DeliveryMetricsSummary, Resource } from '@waybill/client/config';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { AT_REST_MS, useChange, useRead } from '../session/workspace.tsx';

export type Destination = Resource<'destinations'>;

/** Where a destination is, by the slugs of its address. */
export interface Place {
  readonly source: string;
  readonly destination: string;
}

export function useDestinations(source: string | undefined) {
  return useRead(
    ['sources', source, 'destinations'],
    (client, signal, workspace) =>
      Array.fromAsync(client.destinations.list(`${workspace}/sources/${source ?? ''}`, { signal, pageSize: 1_000 })),
    { enabled: source !== undefined },
  );
}

export function useDestination({ source, destination }: Place) {
  return useRead(['sources', source, 'destinations', destination], (client, signal, workspace) =>
    client.destinations.get(nameOf(workspace, { source, destination }), { signal }),
  );
}

/** Changes something of a destination; what is shown of those of its source is read again. */
export function useDestinationChange<Input, Output>(
  { name }: Pick<Destination, 'name'>,
  change: (client: ConfigClient, input: Input) => Promise<Output>,
  done?: (output: Output) => void,
): UseMutationResult<Output, Error, Input> {
  return useChange(change, [['sources', placeOf(name).source, 'destinations']], done);
}

/** The last 24 hours. */
export function useSummary(place: Place): UseQueryResult<DeliveryMetricsSummary> {
  return useRead(
    ['sources', place.source, 'destinations', place.destination, 'summary'],
    (client, signal, workspace) => client.metrics.summary(nameOf(workspace, place), { signal }),
    { every: 2 * AT_REST_MS },
  );
}

export function nameOf(workspace: string, { source, destination }: Place): string {
  return `${workspace}/sources/${source}/destinations/${destination}`;
}

export function placeOf(name: string): Place {
  const [, , , source = '', , destination = ''] = name.split('/');
  return { source, destination };
}
