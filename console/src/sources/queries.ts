import { useQueryClient } from '@tanstack/react-query';
import type { AcceptedEvents, ConfigClient, LiveEvents, Resource } from '@waybill/client/config';
import { useLive } from '../live/use-live.ts';
import { AT_REST_MS, useRead, useWorkspace } from '../session/workspace.tsx';

export type Source = Resource<'sources'>;

export function useSources() {
  return useRead(['sources'], (client, signal, workspace) =>
    Array.fromAsync(client.sources.list(workspace, { signal, pageSize: 1_000 })),
  );
}

export function useSource(slug: string) {
  return useRead(['sources', slug], (client, signal, workspace) =>
    client.sources.get(`${workspace}/sources/${slug}`, { signal }),
  );
}

export function useCatalog() {
  return useRead(['catalog'], (client, signal) => Array.fromAsync(client.catalogSources.list({ signal })));
}

/** Read once; what comes then is heard of. */
export function useAccepted(slug: string) {
  const { name } = useWorkspace();
  const queries = useQueryClient();
  const key = ['sources', slug, 'accepted'];
  const accepted = useRead(key, (client, signal, workspace) =>
    client.acceptedEvents.get(`${workspace}/sources/${slug}`, { signal }),
  );
  useLive(
    slug,
    (message) =>
      queries.setQueryData<AcceptedEvents>([name, ...key], (before) => before && withAccepted(before, message)),
    () => void queries.invalidateQueries({ queryKey: [name, ...key] }),
  );
  return accepted;
}

/** As many as the API lists. */
const LISTED = 20;

/** What was read may hold a part of what is heard a moment later. */
function withAccepted(before: AcceptedEvents, { count, accepted_events: heard }: LiveEvents): AcceptedEvents {
  const known = new Set(before.accepted_events.map(({ message_id }) => message_id));
  const fresh = heard.filter(({ message_id }) => !known.has(message_id));
  if (count === 0) return before;
  const accepted_events = [...fresh.toReversed(), ...before.accepted_events].slice(0, LISTED);
  return { ...before, count: before.count + count - heard.length + fresh.length, accepted_events };
}

export function useDropped(slug: string) {
  return useRead(
    ['sources', slug, 'dropped'],
    (client, signal, workspace) => client.droppedEvents.get(`${workspace}/sources/${slug}`, { signal }),
    { every: 2 * AT_REST_MS },
  );
}

/** What an update of a source needs: its name, and the keys that it shall have. */
export interface KeyChange {
  readonly name: string;
  readonly write_keys: readonly string[];
}

export function changeKeys(client: ConfigClient, { name, write_keys }: KeyChange): Promise<Source> {
  return client.sources.update(name, { write_keys: [...write_keys] });
}
