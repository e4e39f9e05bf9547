import type { Send } from './call.ts';
import { idsOf } from './name-templates.ts';
import { listAll, type Listed, type Query } from './operations.ts';
import type { ListOptions } from './resource-types.ts';
import { RESOURCES } from './resources.ts';

const COLLECTION = '/v1beta/workspaces/{workspace}/audit-entries';
const ROOT = '/v1beta/audit-entries';
const OWNER = 'client.auditEntries';

/** A change of the configuration, and who asked for it. */
export type AuditEntry = Listed<typeof COLLECTION, 'audit_entries'>;

export interface AuditEntryMethods {
  /** Changes in a workspace, newest first; by resource and time. Kinds: `NotFound`. */
  list(workspace: string, options?: ListOptions & Query<typeof COLLECTION>): AsyncIterable<AuditEntry>;

  /** Changes of workspaces and access tokens, newest first. Kinds: `PermissionDenied` for a bound token. */
  listRoot(options?: ListOptions & Query<typeof ROOT>): AsyncIterable<AuditEntry>;
}

export function auditEntryMethods(send: Send): AuditEntryMethods {
  const listing = { owner: OWNER, plural: 'audit_entries', mark: 'name' } as const;
  return {
    list(workspace, options) {
      const ids = idsOf(`${OWNER}.list`, RESOURCES.workspaces.item, workspace);
      return listAll(send, { ...listing, path: COLLECTION, ids }, options);
    },
    listRoot: (options) => listAll(send, { ...listing, path: ROOT, ids: {} }, options),
  };
}
