/** `node server/main.ts`: `waybill serve`, for whoever has no use for the other commands. */
import { runCommand } from './cli/command.ts';
import { serve } from './cli/serve.ts';
import { PRIVATE_UMASK } from './storage/file/private-files.ts';

// Every file that is made from here on, SQLite's own too, is for this user alone (SAFE-3).
process.umask(PRIVATE_UMASK);
process.exitCode = await runCommand(serve, process.argv.slice(2));
