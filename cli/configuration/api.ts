import type { Send } from '../../client/config/call.ts';
import { listItems } from '../../client/config/lists.ts';
import { idsOf } from '../../client/config/name-templates.ts';
import { readNothing } from '../../client/config/readings.ts';
import { collectionIds } from '../../client/config/resource-names.ts';
import type { ResourceRow } from '../../client/config/resources.ts';
import { updateMaskPaths } from '../../client/config/update-mask.ts';
import { isObject } from '../contract/schemas.ts';
import { type Changeable, type Kind, kindRow } from './kinds.ts';
import type { Fields } from './model.ts';

const SCHEMA_CONFIG = '/v1beta/workspaces/{workspace}/sources/{source}/schema-config';
const QUOTA = '/v1beta/workspaces/{workspace}/quota';
const CONNECTIONS = '/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}/source-connections';
const PLAN = '/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}';

const WHOLE = {
  destinations: ['/v1beta/workspaces/{workspace}/destinations', 'destinations'],
  filters: ['/v1beta/workspaces/{workspace}/filters', 'filters'],
  schemaConfigs: ['/v1beta/workspaces/{workspace}/schema-configs', 'schema_configs'],
} as const;

/** What can be read of a whole workspace at once. */
export type Whole = keyof typeof WHOLE;

/** The most that a router puts in a page. */
const PAGE_SIZE = 1_000;

/** Resources of any kind, as fields that the contract knows and this code need not. */
export interface Api {
  list(kind: Kind, parent?: string): Promise<readonly Fields[]>;
  /** Of a workspace, by its full name. Absent where what is asked is no router. */
  readonly listWhole?: (kind: Whole, workspace: string) => Promise<readonly Fields[]>;
  get(kind: Kind, name: string): Promise<Fields>;
  create(kind: Kind, parent: string | undefined, fields: Fields): Promise<Fields>;
  /** A resource, and the tag of its state; a schema config by its source, and a quota by its workspace. */
  state(kind: Changeable, name: string): Promise<State>;
  /** Only of the state with this tag. Answers the resource as it then is. */
  update(kind: Changeable, name: string, changes: Fields, tag?: string): Promise<Fields>;
  remove(kind: Kind, name: string, tag?: string): Promise<void>;
  schemaConfig(source: string): Promise<Fields>;
  quota(workspace: string): Promise<Fields>;
  /** Full names of the sources that are connected to a plan. */
  connections(plan: string): Promise<readonly string[]>;
  connect(plan: string, source: string): Promise<void>;
  disconnect(plan: string, source: string): Promise<void>;
}

export interface State {
  readonly resource: Fields;
  readonly tag: string | undefined;
}

/** Of any service that has this contract, with pages of its own size when none is given. */
export function createApi(send: Send, pageSize?: number): Api {
  return {
    ...resourceCalls(send, pageSize),
    ...changes(send),
    schemaConfig: (source) => send({ method: 'get', ...itemOf('schemaConfig', source), read }),
    quota: (workspace) => send({ method: 'get', ...itemOf('quota', workspace), read }),
    ...connectionCalls(send, pageSize),
  };
}

export function createRouterApi(send: Send): Api {
  return {
    ...createApi(send, PAGE_SIZE),
    listWhole(kind, workspace) {
      const [path, plural] = WHOLE[kind];
      const listing = { owner: 'waybill', path, ids: collectionIds('sources', workspace), plural, mark: 'name' };
      return Array.fromAsync(listItems<Fields>(send, listing, { pageSize: PAGE_SIZE }));
    },
  };
}

const read = (body: unknown) => (isObject(body) ? { value: body } : { problem: 'it is no JSON object' });
const readState = (resource: unknown, tag: string | null) =>
  isObject(resource) ? { value: { resource, tag: tag ?? undefined } } : { problem: 'it is no JSON object' };
const signal = undefined;

function itemOf(kind: Changeable, name: string) {
  const [path, at] = pathOf(kind, name);
  return { path, ids: idsOf('waybill', path, at), signal } as const;
}

function pathOf(kind: Changeable, name: string) {
  if (kind === 'quota') return [QUOTA, `${name}/quota`] as const;
  if (kind === 'schemaConfig') return [SCHEMA_CONFIG, `${name}/schema-config`] as const;
  return [kindRow(kind).row.item, name] as const;
}

function resourceCalls(send: Send, pageSize: number | undefined): Pick<Api, 'list' | 'get' | 'create'> {
  return {
    async list(kind, parent) {
      const { row } = kindRow(kind);
      const ids = collectionIds(kind, parent);
      const { collection: path, plural } = row;
      const listing = { owner: 'waybill', path, ids, plural, mark: 'name' };
      return Array.fromAsync(listItems<Fields>(send, listing, { pageSize }));
    },
    get: (kind, name) => send({ method: 'get', ...itemOf(kind, name), read }),
    create(kind, parent, fields) {
      const { collection: path, key } = kindRow(kind).row;
      const ids = collectionIds(kind, parent);
      return send({ method: 'post', path, ids, body: { [key]: fields }, signal, read });
    },
  };
}

function changes(send: Send): Pick<Api, 'state' | 'update' | 'remove'> {
  return {
    state: (kind, name) => send({ method: 'get', ...itemOf(kind, name), read: readState }),
    update(kind, name, fields, tag) {
      const row = rowOf(kind);
      const body = { [row.key]: fields, update_mask: { paths: updateMaskPaths(row, fields) } };
      return send({ method: 'patch', ...itemOf(kind, name), body, ifMatch: tag, read });
    },
    async remove(kind, name, tag) {
      await send({ method: 'delete', ...itemOf(kind, name), ifMatch: tag, read: readNothing });
    },
  };
}

function rowOf(kind: Changeable): Pick<ResourceRow, 'key' | 'nested'> {
  if (kind === 'quota') return { key: 'quota', nested: {} };
  return kind === 'schemaConfig' ? { key: 'schema_config', nested: {} } : kindRow(kind).row;
}

function idsOfPlan(plan: string) {
  return idsOf('waybill', PLAN, plan);
}

function connectionCalls(
  send: Send,
  pageSize: number | undefined,
): Pick<Api, 'connections' | 'connect' | 'disconnect'> {
  return {
    async connections(plan) {
      const listing = { owner: 'waybill', path: CONNECTIONS, plural: 'connections', mark: 'source_name' } as const;
      const found = await Array.fromAsync(listItems<Fields>(send, { ...listing, ids: idsOfPlan(plan) }, { pageSize }));
      return found.map(({ source_name: source }) => String(source));
    },
    async connect(plan, source) {
      const body = { source_name: source };
      await send({ method: 'post', path: CONNECTIONS, ids: idsOfPlan(plan), body, signal, read });
    },
    async disconnect(plan, source) {
      const slug = source.split('/').at(-1) ?? '';
      const ids = { ...idsOfPlan(plan), source: slug };
      await send({ method: 'delete', path: `${CONNECTIONS}/{source}`, ids, signal, read: readNothing });
    },
  };
}
