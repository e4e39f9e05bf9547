import {
  type QueryKey,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { ConfigClient } from '@waybill/client/config';
import { createContext, use } from 'react';

/** Where the signed-in person works, and what the token allows. */
export interface Workspace {
  readonly client: ConfigClient;
  /** Full name: `workspaces/main`. */
  readonly name: string;
  readonly slug: string;
  readonly canWrite: boolean;
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export const WorkspaceProvider = WorkspaceContext.Provider;

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (workspace === undefined) throw new Error('a screen was rendered outside of a workspace');
  return workspace;
}

interface ReadOptions<Data> {
  /** Milliseconds between reads of what changes by itself; never more often than the page is at rest for. */
  readonly every?: number | ((data: Data | undefined) => number | false);
  readonly enabled?: boolean;
  /** How long it is kept once it is not shown any more; some minutes when not given. */
  readonly keptMs?: number;
}

/** Ten reads a minute at most, of all that a page at rest asks for. */
export const AT_REST_MS = 15_000;

const NEW_MS = 10_000;

/** How often to read what may go on since a time: most of it is done within seconds, and then somebody waits for it. */
export function paceOf(runningSince: string | undefined, atRestMs = 2 * AT_REST_MS): number {
  if (runningSince === undefined) return atRestMs;
  return Date.now() - Date.parse(runningSince) < NEW_MS ? 1_000 : 4_000;
}

/** Reads something of this workspace; the key is that of the cache. */
export function useRead<Data>(
  key: QueryKey,
  read: (client: ConfigClient, signal: AbortSignal, workspace: string) => Promise<Data>,
  { every, enabled = true, keptMs }: ReadOptions<Data> = {},
): UseQueryResult<Data> {
  const { client, name } = useWorkspace();
  return useQuery({
    queryKey: [name, ...key],
    queryFn: ({ signal }) => read(client, signal, name),
    refetchInterval: typeof every === 'function' ? ({ state }) => every(state.data) : (every ?? false),
    enabled,
    ...(keptMs === undefined ? {} : { gcTime: keptMs }),
  });
}

/**
 * Changes something of this workspace; what is shown of these keys is read again before the change counts as done, and when
 * it was refused, as others may have changed it.
 */
export function useChange<Input, Output>(
  change: (client: ConfigClient, input: Input) => Promise<Output>,
  keys: readonly QueryKey[],
  done?: (output: Output) => void,
): UseMutationResult<Output, Error, Input> {
  const { client, name } = useWorkspace();
  const queries = useQueryClient();
  const readAgain = () => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [name, ...key] })));
  return useMutation({
    mutationFn: (input: Input) => change(client, input),
    onSuccess: async (output) => {
      await readAgain();
      done?.(output);
    },
    onError: () => void readAgain(),
  });
}

/** Removes what a page is about: first the page is left, as nothing of it can be read any more. */
export function useRemoval(
  remove: (client: ConfigClient) => Promise<unknown>,
  keys: readonly QueryKey[],
  leave: () => Promise<void>,
): UseMutationResult<unknown, Error, undefined> {
  const { client, name } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (_input: undefined) => remove(client),
    onSuccess: async () => {
      await leave();
      await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [name, ...key] })));
    },
  });
}
