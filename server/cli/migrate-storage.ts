import { parseFlags } from '../settings/parse-flags.ts';
import { storage } from '../settings/setting-values.ts';
import { movePlace } from '../storage/move/open-move.ts';
import { type Place, readPlace } from '../storage/place.ts';
import { type Command, stderrLog, UsageError } from './command.ts';
import { keyringOfCommand } from './place.ts';
import { messageOf } from '../thrown.ts';

/** From one machine to many routers, and back. */
export const migrateStorage: Command = {
  name: 'migrate-storage',
  help: `Usage: waybill migrate-storage --from <place> --to <place> [--json]

Moves everything from a data folder to a PostgreSQL database, or back:
resources, events, deliveries with their attempts, replays, metrics and the
message ids by which duplicates are known. Stop all routers first. The source
is only read, and stays as it is. The target must be empty. A move that was
interrupted goes on when it is started again.

  --from <place>  file:<folder> or postgres://...
  --to <place>    file:<folder> or postgres://...
  --json          one JSON object: {"from", "to", "counts": {"deliveries": 1}}
  --help          this text

A URL may omit the password: PGPASSWORD and the password file are read. Secrets
are decrypted and encrypted with WAYBILL_SECRET_KEYS.

Exit code: 0 when everything was moved; 1 when not; 2 for invalid usage.`,
  run: async (args) => {
    const { from, to, json } = read(args);
    const moved = await movePlace(from, to, stderrLog, keyringOfCommand());
    const width = Math.max(...Object.keys(moved.counts).map(({ length }) => length));
    const rows = Object.entries(moved.counts).map(([name, count]) => `  ${name.padEnd(width)}  ${count}`);
    const lines = [`Moved from ${moved.from}`, `to ${moved.to}, in which the counts are the same:`, ...rows];
    process.stdout.write(`${json ? JSON.stringify(moved) : lines.join('\n')}\n`);
    return 0;
  },
};

const FLAGS = {
  from: { type: 'string' },
  to: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

function read(args: readonly string[]): { readonly from: Place; readonly to: Place; readonly json: boolean } {
  try {
    const { from, to, json } = parseFlags({ args: [...args], options: FLAGS }).values;
    return { from: placeIn('--from', from), to: placeIn('--to', to), json };
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** What is wrong about a place is told without it: its URL may have a password. */
function placeIn(flag: string, given: string | undefined): Place {
  if (given === undefined) throw new Error('both --from and --to are needed');
  try {
    return readPlace(storage(given));
  } catch (error) {
    throw new Error(`${flag}: ${messageOf(error)}`, { cause: error });
  }
}
