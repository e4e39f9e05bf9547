import { parseFlags } from '../settings/parse-flags.ts';
import { type Command, UsageError } from './command.ts';
import { databaseMigration } from './migrate/database.ts';
import { folderMigration } from './migrate/folder.ts';
import { PLACE_FLAGS, placeOf } from './place.ts';
import { messageOf } from '../thrown.ts';

/** What a start does by itself, apart from it: a large storage takes its time, and whoever upgrades may look first. */
export const migrate: Command = {
  name: 'migrate',
  help: `Usage: waybill migrate [--storage <place>] [--check | --dry-run] [--json]

Brings a storage to the format of this version, as the next start would. A
folder: backs up each file that it changes beside it, and then migrates it; no
router may use it, stop it first. A database: routers of the version before may
use it meanwhile. An interrupted migration goes on when it is started again.

  --storage <place>    file:<folder> or postgres://...; default WAYBILL_STORAGE,
                       or file:./data
  --data-dir <folder>  short for --storage file:<folder>
  --check              only tell whether there is something to do: exit code 1
  --dry-run            only tell what would be done
  --json               one JSON object: {"folder", "dry_run", "files": [{"file",
                       "from", "to", "changes", "backup", "bytes"}]} or
                       {"database", "dry_run", "steps": [{"to", "what"}]}
  --help               this text

Exit code: 0 when the storage has the current format, or with --dry-run when it
can be migrated; 1 when it has not, or cannot; 2 for a command that cannot be
understood.`,
  run: async (args) => {
    const { check, 'dry-run': dryRun, json, ...flags } = read(args);
    const place = placeOf(flags);
    const migrating = place.engine === 'file' ? folderMigration(place.folder) : databaseMigration(place);
    const looksOnly = check || dryRun;
    const { changes, object, lines } = await (looksOnly ? migrating.plan() : migrating.carryOut());
    const told = json
      ? JSON.stringify(object)
      : [...lines, ...(changes > 0 ? [looksOnly ? 'Nothing was changed.' : 'Migrated.'] : [])].join('\n');
    process.stdout.write(`${told}\n`);
    return check && changes > 0 ? 1 : 0;
  },
};

/** What was done, or would be. */
export interface Told {
  readonly changes: number;
  /** For programs … */
  readonly object: object;
  /** … and for people. */
  readonly lines: readonly string[];
}

export interface Migrating {
  plan(): Promise<Told>;
  carryOut(): Promise<Told>;
}

const FLAGS = {
  ...PLACE_FLAGS,
  check: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

function read(args: readonly string[]) {
  try {
    return parseFlags({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
