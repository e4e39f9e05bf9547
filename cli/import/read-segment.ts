import { isConfigApiError } from '../../client/config/config-api-error.ts';
import { checkOptions } from '../../client/config/options.ts';
import { createSend } from '../../client/config/send.ts';
import { type Api, createApi } from '../configuration/api.ts';
import { readWorkspace } from '../configuration/live.ts';
import type { Fields, WorkspaceNode } from '../configuration/model.ts';
import { CommandFailed } from '../failure.ts';
import type { Note } from './notes.ts';

/** Where a workspace is taken from. */
export interface Origin {
  readonly url: string;
  readonly token: string;
  /** Its slug there; the only one that the token may see, when absent. */
  readonly workspace: string | undefined;
}

/** The service allows 200 requests a minute, and does not always say how long to wait. */
const RETRY = { maxRetries: 12, firstWaitMs: 500, longestWaitMs: 60_000 };
const TIMEOUT_MS = 60_000;

/** What a workspace holds there. What the service fails to tell of single resources is noted, and missing here. */
export async function readSegment(
  { url, token, workspace }: Origin,
  note: (note: Note) => void,
): Promise<{ readonly slug: string; readonly found: WorkspaceNode }> {
  const send = createSend(checkOptions({ baseUrl: url, token, timeoutMs: TIMEOUT_MS, retry: RETRY }));
  const api = forgiving(createApi(send), note);
  const slug = workspace ?? (await onlyWorkspace(api));
  const found = await readWorkspace(api, slug);
  if (found === undefined)
    throw new CommandFailed(`workspaces/${slug} does not exist at ${url}, or the token may not see it`);
  return { slug, found };
}

async function onlyWorkspace(api: Api): Promise<string> {
  const slugs = (await api.list('workspaces')).map(({ name }) => String(name).replace('workspaces/', ''));
  const [slug, ...others] = slugs;
  if (slug !== undefined && others.length === 0) return slug;
  const seen = slugs.length === 0 ? 'no workspace' : `more than one workspace (${slugs.join(', ')})`;
  throw new CommandFailed(`the token sees ${seen}: name one with --from-workspace`);
}

/** It answers 400 or 500 where something was never set up. Then there is nothing to carry. */
function forgiving(api: Api, note: (note: Note) => void): Api {
  const or =
    <T>(what: string, place: string, nothing: T) =>
    (error: unknown): T => {
      if (!isConfigApiError(error, 'NotFound', 'InvalidArgument', 'Internal', 'Unimplemented')) throw error;
      const cause = `the service did not tell its ${what}`;
      if (error.kind !== 'NotFound')
        note({ place, text: `${cause}: ${error.message}`, cause: `${cause} (${error.kind})` });
      return nothing;
    };
  const none: readonly Fields[] = [];
  return {
    ...api,
    // Quotas are not carried over.
    quota: async () => ({}),
    schemaConfig: (source) => api.schemaConfig(source).catch(or<Fields>('schema settings', source, {})),
    connections: (plan) => api.connections(plan).catch(or<readonly string[]>('sources', plan, [])),
    async list(kind, parent) {
      // The service that is described has none.
      if (kind === 'audiences' || kind === 'computedTraits') return none;
      const found = api.list(kind, parent);
      return kind === 'filters' && parent !== undefined ? found.catch(or('filters', parent, none)) : found;
    },
  };
}
