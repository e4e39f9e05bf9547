import { parseArgs } from 'node:util';
import { migrateFolder } from '../storage/file/migrate-folder.ts';
import { type Command, stderrLog, UsageError } from './command.ts';
import { dataFolder, requireData } from './data-folder.ts';

/** What a start does by itself, for operators who want to see it done before the router takes requests. */
export const migrate: Command = {
  name: 'migrate',
  help: `Usage: waybill migrate [--data-dir <folder>] [--json]

Brings a data folder of an earlier version to today's format, and says what
changed. Each file changes in one transaction, or not at all. A start of the
router does the same; this does it ahead of one. No router may use the folder.
There is no way back to the earlier version: copy the folder first.

  --data-dir <folder>  default WAYBILL_DATA_DIR, or ./data
  --json               one object: {"folder", "migrated": [{"file", "from",
                       "to"}]}
  --help               this text

Exit code: 0 when the folder has today's format, 1 when it cannot be used, 2 for
a command that cannot be understood.`,
  run: async (args) => {
    const { folder, json } = read(args);
    requireData(folder, '');
    const older = await migrateFolder(folder, stderrLog);
    const migrated = older.map(({ file, format: from, current: to }) => ({ file, from, to }));
    const lines = migrated.map(({ file, from, to }) => `${file}: format ${from} to ${to}`);
    const text = lines.length === 0 ? `${folder} has today's format already` : lines.join('\n');
    process.stdout.write(`${json ? JSON.stringify({ folder, migrated }) : text}\n`);
    return 0;
  },
};

const FLAGS = { 'data-dir': { type: 'string' }, json: { type: 'boolean', default: false } } as const;

function read(args: readonly string[]): { readonly folder: string; readonly json: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS });
    return { folder: dataFolder(values['data-dir']), json: values.json };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
