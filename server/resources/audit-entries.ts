import { ApiError } from '../http/errors.ts';
import { isWithin } from '../model/resource-names.ts';
import type { AuditEntry } from '../model/resources.ts';
import { allRows, type ConfigStore } from '../storage/config-store.ts';
import { requireUnbound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { requireParent } from './kit.ts';
import { nameOf } from './names.ts';
import { type PageQuery, pageToken, readPage } from './pages.ts';

/** As the document declares it. */
interface Query extends PageQuery {
  readonly resource?: string;
  readonly from?: string;
  readonly to?: string;
}

interface EntryPage {
  readonly audit_entries: AuditEntry[];
  readonly next_page_token: string;
}

export function auditEntryHandlers({ store }: Pick<Env, 'store'>) {
  return {
    async listAuditEntries({ path, query, caller }) {
      return pageOf(store, await requireParent(store, caller, nameOf('workspaces', path)), query);
    },
    async listRouterAuditEntries({ query, caller }) {
      requireUnbound(caller, 'these entries belong');
      return pageOf(store, '', query);
    },
  } satisfies Partial<ConfigHandlers>;
}

/** The newest first; there are few enough to look at all of them. */
async function pageOf(store: ConfigStore, parent: string, query: Query): Promise<EntryPage> {
  const { resource = '', from = '', to = '' } = query;
  const collection = ['audit-entries', parent, resource, from, to].join('\n');
  const { after, limit } = readPage(query, collection);
  const rows = (await allRows(store, 'audit-entries', parent)).toReversed();
  const wanted = rows.values().filter((row) => (after === 0 || row.sequence < after) && isWanted(row.resource, query));
  // One more tells whether there is another page.
  const found = [...wanted.take(limit + 1)];
  const shown = found.slice(0, limit);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  return {
    audit_entries: shown.map((row) => row.resource),
    next_page_token: last === undefined ? '' : pageToken(collection, { after: last.sequence, limit }),
  };
}

function isWanted({ resource, create_time: time }: AuditEntry, { resource: wanted, from, to }: Query): boolean {
  const isOfIt = wanted === undefined || isWithin(resource, wanted);
  const made = Date.parse(time);
  return isOfIt && made >= timeOf('from', from, -Infinity) && made < timeOf('to', to, Infinity);
}

function timeOf(field: string, text: string | undefined, none: number): number {
  const time = text === undefined ? none : Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new ApiError('InvalidArgument', `${field} must be an RFC 3339 time, got ${JSON.stringify(text)}`);
}
