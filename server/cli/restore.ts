import { parseFlags } from '../settings/parse-flags.ts';
import { restoreArchive } from '../storage/archive/restore.ts';
import { type Command, UsageError } from './command.ts';
import { PLACE_FLAGS, placeOf } from './place.ts';
import { messageOf } from '../thrown.ts';

/** What "waybill backup" saved becomes a data folder again. */
export const restore: Command = {
  name: 'restore',
  help: `Usage: waybill restore <file> [--data-dir <folder>] [--json]

Makes a data folder of a backup: configuration, events, deliveries and profiles
as they stood when "waybill backup" began. The folder must be empty, or absent.
The backup is checked while it is read: one that is cut off or damaged leaves
the folder as it was. What was delivered since is delivered again.

  --data-dir <folder>  where to; default WAYBILL_DATA_DIR, or ./data
  --storage <place>    the same, as file:<folder>
  --json               one JSON object: {"folder", "files", "bytes"}
  --help               this text

Exit code: 0 when it was restored, 1 when not, 2 for a command that cannot be
understood.`,
  run: async (args) => {
    const { file, json, ...flags } = read(args);
    const place = placeOf(flags);
    if (place.engine !== 'file')
      throw new UsageError('a backup is restored into a folder; "waybill migrate-storage" moves that to a database');
    const { folder } = place;
    const { files, bytes } = restoreArchive(file, folder);
    const words = `Restored ${files} files (${(bytes / 1e6).toFixed(1)} MB) into ${folder}.`;
    process.stdout.write(`${json ? JSON.stringify({ folder, files, bytes }) : words}\n`);
    return 0;
  },
};

const FLAGS = { ...PLACE_FLAGS, json: { type: 'boolean', default: false } } as const;

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseFlags({ args: [...args], options: FLAGS, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Error('give the file of one backup');
    return { ...values, file };
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
