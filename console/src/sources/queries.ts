import type { ConfigClient, Resource } from '@waybill/client/config';
import { AT_REST_MS, useRead } from '../session/workspace.tsx';

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

/** Whoever has just connected a source waits for its first event; other reads of the page have their share too. */
const WAITING_MS = 8_000;

export function useAccepted(slug: string) {
  return useRead(
    ['sources', slug, 'accepted'],
    (client, signal, workspace) => client.acceptedEvents.get(`${workspace}/sources/${slug}`, { signal }),
    {
      every: (accepted) => (accepted?.count === 0 ? WAITING_MS : AT_REST_MS),
    },
  );
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
