import { useQueryClient } from '@tanstack/react-query';
import type { AcceptedEvents, ConfigClient, LiveEvents, Resource } from '@waybill/client/config';
import { useEffect, useRef, useState } from 'react';
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

/** With the state of the stream. Read as soon as what comes then is heard of: an event between the two would be in neither. */
export function useAccepted(slug: string) {
  const { name } = useWorkspace();
  const queries = useQueryClient();
  const key = ['sources', slug, 'accepted'];
  /** Heard during a read, whose answer may be of before. */
  const meanwhile = useRef<LiveEvents[]>(undefined);
  const readAnew = async (): Promise<void> => {
    // A first read that is under way would go on, and may be of before.
    await queries.cancelQueries({ queryKey: [name, ...key] });
    await queries.invalidateQueries({ queryKey: [name, ...key] });
  };
  const state = useLive(
    slug,
    (message) => {
      meanwhile.current?.push(message);
      queries.setQueryData<AcceptedEvents>([name, ...key], (before) => before && withAccepted(before, message));
    },
    () => void readAnew(),
  );
  const isLate = useLate();
  const accepted = useRead(
    key,
    async (client, signal, workspace) => {
      const heard: LiveEvents[] = [];
      meanwhile.current = heard;
      try {
        const read = await client.acceptedEvents.get(`${workspace}/sources/${slug}`, { signal });
        return heard.reduce(withAccepted, read);
      } finally {
        if (meanwhile.current === heard) meanwhile.current = undefined;
      }
    },
    { enabled: state !== 'connecting' || isLate },
  );
  return { accepted, state };
}

const PATIENCE_MS = 3_000;

/** A stream that says nothing for so long is not waited for. */
function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
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

/** Changes the keys that a source has by now: senders lose those that others made meanwhile otherwise. */
export async function changeKeys(
  client: ConfigClient,
  name: string,
  change: (keys: readonly string[]) => readonly string[],
): Promise<Source> {
  const { resource, etag } = await client.sources.getTagged(name);
  return client.sources.update(name, { write_keys: [...change(resource.write_keys)] }, { ifMatch: etag });
}
