import { parseArgs } from 'node:util';
import { type FileMigration, migrateFolder, planMigration } from '../storage/file/migrate.ts';
import { DataFolderUnusable, unusable } from '../storage/file/open-file-storage.ts';
import { type Command, stderrLog, UsageError } from './command.ts';
import { dataFolder, requireData } from './data-folder.ts';

/** What a start does by itself, apart from it: a large folder takes its time, and whoever upgrades may look first. */
export const migrate: Command = {
  name: 'migrate',
  help: `Usage: waybill migrate [--data-dir <folder>] [--dry-run] [--json]

Brings a data folder to the formats of this version, as the next start would:
backs up each file that it changes beside it, and then migrates it. An
interrupted migration goes on when it is started again. No router may use the
folder: stop it first.

  --data-dir <folder>  default WAYBILL_DATA_DIR, or ./data
  --dry-run            only tell what would be done
  --json               one JSON object: {"folder", "dry_run", "files": [{"file",
                       "from", "to", "changes", "backup", "bytes"}]}
  --help               this text

Exit code: 0 when the folder has the current formats, or with --dry-run when it
can be migrated; 1 when it cannot; 2 for a command that cannot be understood.`,
  run: async (args) => {
    const { folder, dryRun, json } = read(args);
    const files = await (dryRun ? plan(folder) : carryOut(folder)).catch(unusable);
    const told = json ? JSON.stringify({ folder, dry_run: dryRun, files }) : text(files, folder, dryRun);
    process.stdout.write(`${told}\n`);
    return 0;
  },
};

const FLAGS = {
  'data-dir': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

function read(args: readonly string[]): { readonly folder: string; readonly dryRun: boolean; readonly json: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS });
    return { folder: dataFolder(values['data-dir']), dryRun: values['dry-run'], json: values.json };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function plan(folder: string): Promise<readonly FileMigration[]> {
  requireData(folder, '');
  const { isInUse, files } = planMigration(folder);
  if (isInUse) throw new DataFolderUnusable(`another router uses ${folder}: stop it first`);
  return files;
}

async function carryOut(folder: string): Promise<readonly FileMigration[]> {
  await plan(folder);
  return migrateFolder(folder, stderrLog);
}

function text(files: readonly FileMigration[], folder: string, dryRun: boolean): string {
  if (files.length === 0) return `${folder} has today's format already`;
  const lines = files.flatMap(({ file, from, to, changes, backup, bytes }) => [
    `${file}: format ${from} to ${to}`,
    ...changes.map((change) => `  ${change}`),
    `  backup: ${backup} (${bytes} bytes or fewer)`,
  ]);
  const end = dryRun
    ? 'Nothing was changed (--dry-run).'
    : 'Migrated. Remove the backups once the new version has proven itself.';
  return [...lines, end].join('\n');
}
