import type { Mutant } from '../mutant.ts';

/** Faults by which what one workspace has stored, or looks at, would stop others (SAFE-2). */
export const SAFE_GROWTH: readonly Mutant[] = [
  {
    rule: 'SAFE-2',
    file: 'server/storage/postgres/deliveries/backlog.ts',
    find: 'lastDueAt === null || lastId === null ? undefined',
    replace: 'lastDueAt !== undefined ? undefined',
    breaks: 'on PostgreSQL, of much that waits for a destination only the first part is counted',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/postgres/parts.ts',
    find: 'from < (size?.blocks ?? 0)',
    replace: 'from < Math.min(1, size?.blocks ?? 0)',
    breaks: 'of a table that is looked at in parts only the first part is',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/file/deliveries/backlog.ts',
    find: 'id === from.destination ?',
    replace: 'id !== from.destination ?',
    breaks: 'on a data folder, what waits for a destination is counted from the beginning again for each part',
  },
  {
    rule: 'SAFE-2',
    file: 'server/delivery/waiting-queues.ts',
    find: 'shared(name,',
    replace: "shared('all',",
    breaks: 'who asks what waits is told what was read of others',
  },
  {
    rule: 'SAFE-2',
    file: 'server/delivery/waiting-queues.ts',
    find: 'workspaceOf(name));',
    replace: "'');",
    breaks: 'who looks at a short queue waits for all that another workspace has waiting to be counted',
  },
  {
    rule: 'SAFE-2',
    file: 'server/shared-readings.ts',
    find: 'ended + restAfter(',
    replace: 'ended - restAfter(',
    breaks: 'where much waits, somebody counts it all the time',
  },
  {
    rule: 'SAFE-2',
    file: 'server/fairness/paced-lines.ts',
    find: 'await line.pace.rest();',
    replace: '',
    breaks: 'on PostgreSQL, changes of a large resource follow each other without a rest',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/file/deliveries/inbox.ts',
    find: 'DELETE FROM inbox INDEXED BY inbox_of_source',
    replace: 'DELETE FROM inbox NOT INDEXED',
    breaks: 'on a data folder, what one workspace caught is cleared by a look at what all others caught',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/file/deliveries/purge.ts',
    find: 'ended_at < ? LIMIT ?)',
    replace: '+ended_at < ? LIMIT ?)',
    breaks: 'on a data folder, each step of the purge reads all replays of all workspaces',
  },
  {
    rule: 'SAFE-2',
    file: 'server/resources/audience-members.ts',
    find: 'return previewsOfEach.run(inTurn, workspace, 1);',
    replace: 'return inTurn();',
    breaks: 'one workspace that previews large audiences has all places for previews',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/postgres/jobs/sweep.ts',
    find: ', jobs, syncs]',
    replace: ', jobs]',
    breaks: 'on PostgreSQL, of many old syncs a few go with each purge, and the rest stays',
  },
  {
    rule: 'SAFE-2',
    file: 'server/storage/postgres/profiles/oldest-caught.ts',
    find: 'isFull && place < last',
    replace: 'isFull',
    breaks: 'on PostgreSQL, each lot of what many sources caught reads all of it',
  },
];
