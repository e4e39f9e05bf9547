import type { Mutant } from '../mutant.ts';

/** Versions, and several routers. */
export const NODE: readonly Mutant[] = [
  {
    rule: 'NODE-7',
    file: 'server/storage/file/formats.ts',
    find: 'if (format === current) return [];',
    replace: 'if (format >= current) return [];',
    breaks: 'data of a newer version is opened, and misread',
  },
  {
    rule: 'NODE-7',
    file: 'server/storage/file/backup.ts',
    find: 'renameSync(draft, backup);',
    replace: '',
    breaks: 'a migration leaves no backup',
  },
  {
    rule: 'NODE-7',
    file: 'server/storage/file/migrate.ts',
    find: 'await shard.migrate();',
    replace: 'await Promise.resolve();',
    breaks: 'files of the configuration stay as the earlier version wrote them',
  },
];
