import { ApiError } from '../http/errors.ts';
import { requireUnbound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';

const WAY = 'back it up with its own tools, pg_basebackup or continuous archiving (point-in-time recovery)';

export function backupHandlers({ backup }: Pick<Env, 'backup'>) {
  return {
    async downloadBackup({ caller }) {
      requireUnbound(caller, 'a backup belongs');
      if (backup === undefined) throw new ApiError('Unimplemented', `the storage of this router is a database: ${WAY}`);
      return backup();
    },
  } satisfies Partial<ConfigHandlers>;
}
