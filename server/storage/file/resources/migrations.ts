import type { Migration } from '../formats.ts';

/** Counted up only together with a migration. */
export const FORMAT = 14;

/** A file of the configuration, parsed: its header, and `rows`. */
export type ShardDocument = Readonly<Record<string, unknown>>;

export interface ShardMigration extends Migration {
  /** Pure. What a row lacks is no reason for one: it is read with what it meant (`stored-rows.ts`). */
  readonly change: (document: ShardDocument) => ShardDocument;
}

/** In the order of their formats. */
export const SHARD_MIGRATIONS: readonly ShardMigration[] = [
  {
    from: 1,
    what: 'regulations may be of one source; an earlier version would carry them out in the whole workspace',
    change: (document) => document,
  },
  {
    from: 2,
    what: 'secrets may be rotated; an earlier version would sign with the new one alone, before the overlap ends',
    change: (document) => document,
  },
  {
    from: 3,
    what: 'a source may have many webhooks destinations; an earlier version would deliver to the one of that slug alone',
    change: (document) => document,
  },
  {
    from: 4,
    what: 'workspaces may have audiences and computed traits; an earlier version knows no such rows',
    change: (document) => document,
  },
  {
    from: 5,
    what: 'secrets may be encrypted, and bodies shaped; an earlier version could not read the ones, and would send the others whole',
    change: (document) => document,
  },
  {
    from: 6,
    what: 'changes are kept with who made them; an earlier version knows no such rows',
    change: (document) => document,
  },
  {
    from: 7,
    what: 'workspaces may have quotas; an earlier version would let everything in',
    change: (document) => document,
  },
  {
    from: 8,
    what: 'what notices told is kept with what it is about; an earlier version would show it as a field of the resource',
    change: (document) => document,
  },
  {
    from: 9,
    what: 'tokens may be limited to sources and destinations; an earlier version would show them as bound to workspaces alone',
    change: (document) => document,
  },
  {
    from: 10,
    what: 'older entries of the audit stand in files beside the configuration; an earlier version would not show them',
    change: (document) => document,
  },
  {
    from: 11,
    what: 'profiles may be kept before an audience needs them; an earlier version knows no such rows',
    change: (document) => document,
  },
  {
    from: 12,
    what: 'write keys that sources had stay with their workspace; an earlier version knows no such rows',
    change: (document) => document,
  },
  {
    from: 13,
    what: 'names of removed workspaces are kept for a while; an earlier version knows no such rows',
    change: (document) => document,
  },
];
