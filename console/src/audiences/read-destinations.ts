import type { ConfigClient, Resource } from '@waybill/client/config';
import { take } from '../session/take.ts';

/** Each source is a request of its own. */
export const MAX_SOURCES = 10;
/** Of each of them. */
export const MAX_DESTINATIONS = 100;

/** Destinations that can deliver, of the first sources. */
export async function readDestinations(
  client: ConfigClient,
  signal: AbortSignal,
  workspace: string,
): Promise<{ readonly hasMore: boolean; readonly destinations: readonly Resource<'destinations'>[] }> {
  const { items: sources, hasMore: hasMoreSources } = await take(
    client.sources.list(workspace, { signal }),
    MAX_SOURCES,
  );
  const lists = await Promise.all(
    sources.map(({ name }) => take(client.destinations.list(name, { signal }), MAX_DESTINATIONS)),
  );
  const hasMore = hasMoreSources || lists.some((list) => list.hasMore);
  return { hasMore, destinations: lists.flatMap(({ items }) => items).filter(({ deliverable }) => deliverable) };
}
