import type { Download } from './call.ts';
import type { CallOptions } from './resource-types.ts';

export interface BackupMethods {
  /**
   * A tar archive of all that a running router keeps, as it comes: write it to a file that only you can read. One without
   * `SHA256SUMS` at its end was cut off. Kinds: `PermissionDenied` for a token without write scope on all workspaces,
   * `Unimplemented` where routers share a database, `ResourceExhausted` while another backup is made.
   */
  download(options?: CallOptions): AsyncIterable<Uint8Array>;
}

export function backupMethods(download: Download): BackupMethods {
  return {
    download: ({ signal } = {}) => download({ method: 'get', path: '/v1beta/backup', ids: {}, signal }),
  };
}
