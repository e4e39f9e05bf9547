import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  AudienceDefinition,
  AudienceMember,
  CallOptions,
  ChangeOptions,
  ComputedTraitValue,
  ConfigClient,
  ListOptions,
  Resource,
  Sync,
  SyncMethods,
  Tagged,
} from '@waybill/client/config';
import { useEffect, useState } from 'react';
import { readDestinations } from './read-destinations.ts';
import { take, type Taken } from '../session/take.ts';
import { paceOf, useRead, useWorkspace } from '../session/workspace.tsx';
import type { Fields } from '../ui/json-fields.ts';

export type Audience = Resource<'audiences'>;
export type ComputedTrait = Resource<'computedTraits'>;
export type Computed = Audience | ComputedTrait;

type Written = AudienceDefinition & ComputedTrait['definition'];

/** As they are called in names and addresses. */
export type Kind = 'audiences' | 'computed-traits';

const NEW_MS = 60_000;

const TYPING_MS = 500;

interface Change {
  readonly display_name?: string;
  readonly definition?: Written;
  readonly enabled?: boolean;
  readonly destinations?: string[];
}

/** What both kinds can do. */
interface Methods extends SyncMethods {
  list(workspace: string, options: ListOptions): AsyncIterable<Computed>;
  get(name: string, options: CallOptions): Promise<Computed>;
  create(workspace: string, fields: Change & { display_name: string; definition: Written }): Promise<Computed>;
  getTagged(name: string): Promise<Tagged<Computed>>;
  update(name: string, change: Change, options?: ChangeOptions): Promise<Computed>;
  delete(name: string): Promise<void>;
}

export function methodsOf(client: ConfigClient, kind: Kind): Methods {
  return kind === 'audiences' ? client.audiences : client.computedTraits;
}

export function useComputedList(kind: Kind) {
  return useRead<readonly Computed[]>(
    [kind],
    (client, signal, workspace) =>
      Array.fromAsync(methodsOf(client, kind).list(workspace, { signal, pageSize: 1_000 })),
    { every: (list) => paceOf(list?.find(isRunning)?.create_time) },
  );
}

export function useComputed(kind: Kind, id: string) {
  return useRead<Computed>(
    [kind, id],
    (client, signal, workspace) => methodsOf(client, kind).get(`${workspace}/${kind}/${id}`, { signal }),
    { every: (one) => paceOf(one !== undefined && isRunning(one) ? one.create_time : undefined) },
  );
}

/** The first sync of a new one begins within a moment. */
function isRunning({ state, create_time: made }: Computed): boolean {
  return state === 'COMPUTING' || (state === 'PREPARING' && Date.now() - Date.parse(made) < NEW_MS);
}

const SHOWN_SYNCS = 20;

/** The last ones, newest first. */
export function useSyncs(kind: Kind, { name, state }: Computed) {
  return useRead<Taken<Sync>>(
    [kind, name, 'syncs', state],
    (client, signal) => take(methodsOf(client, kind).syncs(name, { signal, pageSize: SHOWN_SYNCS + 1 }), SHOWN_SYNCS),
    { every: (syncs) => paceOf(syncs?.items.find(({ state: of }) => of === 'RUNNING')?.start_time) },
  );
}

/** Read again when another sync has found others. */
export function useMembers({ name, last_sync: sync }: Audience, count: number) {
  return useRead<Taken<AudienceMember>>(
    ['audiences', name, 'members', sync?.name, sync?.state, count],
    (client, signal) => take(client.audiences.members(name, { signal, pageSize: Math.min(count + 1, 1_000) }), count),
  );
}

export function useValues({ name, last_sync: sync }: ComputedTrait, count: number) {
  return useRead<Taken<ComputedTraitValue>>(
    ['computed-traits', name, 'values', sync?.name, sync?.state, count],
    (client, signal) =>
      take(client.computedTraits.values(name, { signal, pageSize: Math.min(count + 1, 1_000) }), count),
  );
}

export function useExplained(id: string, user: string) {
  return useRead(['audiences', id, 'member', user], (client, signal, workspace) =>
    client.audiences.explain(`${workspace}/audiences/${id}`, user, { signal }),
  );
}

/** The destinations that can be told. */
export function useTellable() {
  return useRead(['tellable'], readDestinations);
}

/** How many a definition would have now; asked for once the person has stopped typing. */
export function usePreview(draft: Fields | undefined) {
  const { client, name } = useWorkspace();
  const text = useSettled(draft === undefined ? undefined : JSON.stringify(draft));
  return useQuery({
    queryKey: [name, 'audience-preview', text],
    queryFn: ({ signal }) => client.audiences.preview(name, JSON.parse(text ?? '{}'), { signal }),
    enabled: text !== undefined,
    placeholderData: keepPreviousData,
  });
}

function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return undefined;
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}

/** The API checks what a person wrote, and says at which place it is wrong. */
export function asWritten(draft: Fields): Written {
  return Object(draft);
}
