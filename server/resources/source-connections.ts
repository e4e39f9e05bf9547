import type { components } from '../../generated/config-api.d.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { slugOf } from '../model/resource-names.ts';
import type { Source } from '../model/resources.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import { turnsOfLists } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { found, requireParent, requireVisible } from './kit.ts';
import { nameOf, readNewName } from './names.ts';
import { listPage } from './pages.ts';

export function sourceConnectionHandlers({ store, turns }: Env) {
  const deleteSourceConnection: ConfigHandlers['deleteSourceConnection'] = async ({ path, caller }) => {
    await disconnect(store, nameOf('sources', path), requireVisible(caller, nameOf('tracking-plans', path)));
    return {};
  };

  return {
    deleteSourceConnection,

    // The name in the path is whole; one of another workspace cannot be connected here.
    deleteSourceConnectionByName: (call) => {
      const { source_workspace: workspace, source } = call.path;
      if (workspace !== call.path.workspace) throw notFound(nameOf('sources', { workspace, source }));
      return deleteSourceConnection(call);
    },

    async listSourceConnections({ path, query, caller }) {
      const parent = await requireParent(store, caller, nameOf('workspaces', path));
      const plan = nameOf('tracking-plans', path);
      // Clients ask after they deleted the plan: a plan that is gone holds nothing (D-14).
      const isThere = (await store.get('tracking-plans', plan)) !== undefined;
      const isVisible = (source: Source): boolean => isThere && source.tracking_plan === plan;
      const sources = { kind: 'sources', parent, collection: `${plan}/source-connections` } as const;
      const request = { ...sources, query, isVisible, turns: turnsOfLists(turns, caller) };
      const { items, next_page_token } = await listPage(store, request);
      return { connections: items.map((source) => connectionOf(source.name, plan)), next_page_token };
    },

    async createSourceConnection({ path, body, caller }) {
      const names = [readSourceName(body.source_name, nameOf('workspaces', path), 'source_name')];
      const plan = await visiblePlan(store, requireVisible(caller, nameOf('tracking-plans', path)));
      await connect(store, names, plan);
      return connectionOf(names[0] ?? '', plan);
    },

    async batchCreateSourceConnections({ path, body, caller }) {
      const home = nameOf('workspaces', path);
      const names = body.source_names.map((name, index) => readSourceName(name, home, `source_names[${index}]`));
      const plan = await visiblePlan(store, requireVisible(caller, nameOf('tracking-plans', path)));
      await connect(store, names, plan);
      return { connections: names.map((name) => connectionOf(name, plan)) };
    },
  } satisfies Partial<ConfigHandlers>;
}

async function visiblePlan(store: ConfigStore, plan: string): Promise<string> {
  return found(await store.get('tracking-plans', plan), plan).name;
}

/** All or none, as far as it can be seen beforehand; changes that begin at once share one write. */
async function connect(store: ConfigStore, names: readonly string[], plan: string): Promise<void> {
  const [twice] = names.filter((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new ApiError('InvalidArgument', `source_names holds ${twice} twice`);
  const sources = await Promise.all(names.map(async (name) => found(await store.get('sources', name), name)));
  const gone = await plansGoneOf(store, sources);
  for (const source of sources) requireFree(source, gone);
  const change = (source: Source): Source => ({ ...requireFree(source, gone), tracking_plan: plan });
  const changed = await Promise.all(names.map((name) => store.update('sources', name, change)));
  for (const [index, source] of changed.entries()) found(source, names[index] ?? '');
}

/** The plans of these sources that were deleted since: such a connection went with its plan. */
async function plansGoneOf(store: ConfigStore, sources: readonly Source[]): Promise<Set<string>> {
  const plans = new Set(sources.flatMap(({ tracking_plan: plan }) => plan ?? []));
  const left = await Promise.all(Array.from(plans, (plan) => store.get('tracking-plans', plan)));
  return plans.difference(new Set(left.map((plan) => plan?.name)));
}

async function disconnect(store: ConfigStore, source: string, plan: string): Promise<void> {
  const connection = `${plan}/source-connections/${source}`;
  found(await store.get('tracking-plans', plan), plan);
  const changed = await store.update('sources', source, ({ tracking_plan: current, ...rest }) => {
    if (current === plan) return rest;
    throw notFound(connection);
  });
  found(changed, connection);
}

function connectionOf(source: string, plan: string): components['schemas']['SourceConnection'] {
  return { source_name: source, tracking_plan_id: slugOf(plan) };
}

/** Clients name a source in full, or by its slug alone. */
function readSourceName(given: string, workspace: string, field: string): string {
  const within = `${workspace}/sources/`;
  return readNewName({ given: given.includes('/') ? given : within + given, within, field });
}

/** A source belongs to at most one plan; a plan that is gone holds nothing. */
function requireFree(source: Source, plansGone: ReadonlySet<string>): Source {
  const { name, tracking_plan: plan } = source;
  if (plan === undefined || plansGone.has(plan)) return source;
  throw new ApiError('AlreadyExists', `source connection already exists: ${name} belongs to ${plan}`);
}
