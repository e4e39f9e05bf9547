import type { Send } from '../../client/config/call.ts';
import { listItems } from '../../client/config/lists.ts';
import { idsOf } from '../../client/config/name-templates.ts';
import { readNothing } from '../../client/config/readings.ts';
import { collectionIds } from '../../client/config/resource-names.ts';
import { updateMaskPaths } from '../../client/config/update-mask.ts';
import { isObject } from '../contract/schemas.ts';
import { type Kind, kindRow } from './kinds.ts';
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
  update(kind: Kind, name: string, changes: Fields): Promise<void>;
  remove(kind: Kind, name: string): Promise<void>;
  schemaConfig(source: string): Promise<Fields>;
  updateSchemaConfig(source: string, changes: Fields): Promise<void>;
  quota(workspace: string): Promise<Fields>;
  updateQuota(workspace: string, changes: Fields): Promise<void>;
  /** Full names of the sources that are connected to a plan. */
  connections(plan: string): Promise<readonly string[]>;
  connect(plan: string, source: string): Promise<void>;
  disconnect(plan: string, source: string): Promise<void>;
}

/** Of any service that has this contract, with pages of its own size when none is given. */
export function createApi(send: Send, pageSize?: number): Api {
  return {
    ...resourceCalls(send, pageSize),
    ...schemaConfigCalls(send),
    ...quotaCalls(send),
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
const signal = undefined;

function item(kind: Kind, name: string) {
  const { item: path } = kindRow(kind).row;
  return { path, ids: idsOf('waybill', path, name) };
}

function resourceCalls(
  send: Send,
  pageSize: number | undefined,
): Pick<Api, 'list' | 'get' | 'create' | 'update' | 'remove'> {
  return {
    async list(kind, parent) {
      const { row } = kindRow(kind);
      const ids = collectionIds(kind, parent);
      const { collection: path, plural } = row;
      const listing = { owner: 'waybill', path, ids, plural, mark: 'name' };
      return Array.fromAsync(listItems<Fields>(send, listing, { pageSize }));
    },
    get: (kind, name) => send({ method: 'get', ...item(kind, name), signal, read }),
    create(kind, parent, fields) {
      const { collection: path, key } = kindRow(kind).row;
      const ids = collectionIds(kind, parent);
      return send({ method: 'post', path, ids, body: { [key]: fields }, signal, read });
    },
    async update(kind, name, changes) {
      const { row } = kindRow(kind);
      const body = { [row.key]: changes, update_mask: { paths: updateMaskPaths(row, changes) } };
      await send({ method: 'patch', ...item(kind, name), body, signal, read });
    },
    async remove(kind, name) {
      await send({ method: 'delete', ...item(kind, name), signal, read: readNothing });
    },
  };
}

function schemaConfigOf(source: string) {
  return { path: SCHEMA_CONFIG, ids: idsOf('waybill', SCHEMA_CONFIG, `${source}/schema-config`) } as const;
}

function schemaConfigCalls(send: Send): Pick<Api, 'schemaConfig' | 'updateSchemaConfig'> {
  return {
    schemaConfig: (source) => send({ method: 'get', ...schemaConfigOf(source), signal, read }),
    async updateSchemaConfig(source, changes) {
      const paths = updateMaskPaths({ key: 'schema_config', nested: {} }, changes);
      const body = { schema_config: changes, update_mask: { paths } };
      await send({ method: 'patch', ...schemaConfigOf(source), body, signal, read });
    },
  };
}

function quotaOf(workspace: string) {
  return { path: QUOTA, ids: idsOf('waybill', QUOTA, `${workspace}/quota`), signal } as const;
}

function quotaCalls(send: Send): Pick<Api, 'quota' | 'updateQuota'> {
  return {
    quota: (workspace) => send({ method: 'get', ...quotaOf(workspace), read }),
    async updateQuota(workspace, changes) {
      const body = { quota: changes, update_mask: { paths: updateMaskPaths({ key: 'quota', nested: {} }, changes) } };
      await send({ method: 'patch', ...quotaOf(workspace), body, read });
    },
  };
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
