import type { ConfigClient, DeliveryMetricsSummary, Resource } from '@waybill/client/config';
import { take } from '../session/take.ts';

/** Each source is a request of its own, and summaries come for so many destinations at once. */
export const MAX_SOURCES = 10;
const MAX_SUMMARIES = 100;

export interface Overview {
  readonly sources: readonly Resource<'sources'>[];
  /** More sources are there than are looked at. */
  readonly hasMore: boolean;
  readonly destinations: readonly DestinationFigures[];
}

export interface DestinationFigures {
  readonly destination: Resource<'destinations'>;
  readonly summary: DeliveryMetricsSummary;
}

/** Sources with the destinations that can deliver. */
export async function readDestinations(
  client: ConfigClient,
  signal: AbortSignal,
  workspace: string,
): Promise<Omit<Overview, 'destinations'> & { readonly destinations: readonly Resource<'destinations'>[] }> {
  const { items: sources, hasMore } = await take(client.sources.list(workspace, { signal }), MAX_SOURCES);
  const lists = await Promise.all(
    sources.map(({ name }) => take(client.destinations.list(name, { signal }), MAX_SUMMARIES)),
  );
  const destinations = lists.flatMap(({ items }) => items).filter(({ deliverable }) => deliverable);
  return { sources, hasMore, destinations };
}

/** What the last 24 hours came to, destination by destination. */
export async function readOverview(client: ConfigClient, signal: AbortSignal, workspace: string): Promise<Overview> {
  const { sources, hasMore, destinations: delivering } = await readDestinations(client, signal, workspace);
  const asked = delivering.slice(0, MAX_SUMMARIES);
  const names = asked.map(({ name }) => name);
  const summaries = names.length === 0 ? [] : await client.metrics.summaries(workspace, names, { signal });
  const destinations = asked.flatMap((destination, index) => {
    const summary = summaries[index];
    return summary === undefined ? [] : [{ destination, summary }];
  });
  return { sources, hasMore, destinations };
}

export interface Total {
  readonly delivered: number;
  readonly lost: number;
  readonly retries: number;
}

export function totalOf(destinations: readonly DestinationFigures[]): Total {
  const sum = (of: (summary: DeliveryMetricsSummary) => number): number =>
    destinations.reduce((total, { summary }) => total + of(summary), 0);
  return {
    delivered: sum(({ successes }) => successes),
    lost: sum(({ failures, expirations }) => failures + expirations),
    retries: sum(({ retries }) => retries),
  };
}

/** Those that lost something come first, then those that had to try again. */
export function byNeed(destinations: readonly DestinationFigures[]): readonly DestinationFigures[] {
  const need = ({ summary: { failures, expirations, retries } }: DestinationFigures): number =>
    (failures + expirations) * 1_000_000 + retries;
  return destinations.toSorted((one, other) => need(other) - need(one));
}
