import { greeting, tokenNotice } from './cli/greeting.ts';
import { CannotListen } from './http/listener.ts';
import { createProcessLog, type ProcessLog } from './operations/log/process-log.ts';
import { HELP, wantsHelp } from './settings/settings-help.ts';
import type { StartToken } from './resources/bootstrap.ts';
import type { Log } from './ports/log.ts';
import { InvalidSetting, readSettings, type Settings } from './settings/settings.ts';
import { PRIVATE_UMASK } from './storage/file/private-files.ts';
import { DataFolderUnusable } from './storage/file/stores.ts';
import { startWaybill, type Waybill } from './app.ts';

/** A stop that takes longer than this is ended; what was not recorded is taken up at the next start. */
const STOP_LIMIT_MS = 9_500;
/** Whoever reads the log may have stopped. */
const LOG_LIMIT_MS = 1_000;

// Every file that is made from here on, SQLite's own too, is for this user alone (SAFE-3).
process.umask(PRIVATE_UMASK);

const args = process.argv.slice(2);
if (wantsHelp(args)) process.stdout.write(`${HELP}\n`);
else await serve(args).catch(fail);

async function serve(flags: readonly string[]): Promise<void> {
  const settings = readSettings(flags, process.env);
  const isTerminal = process.stdout.isTTY;
  const log = createProcessLog(settings.logLevel, isTerminal);
  const stopSignal = awaitSignal();
  const waybill = await startWaybill(settings, log);
  tell(waybill.startToken, settings, log);
  if (isTerminal) process.stdout.write(greeting(waybill.url, settings));
  else log.info({ url: waybill.url, data: settings.dataDir }, 'listening');
  await stop(waybill, log, await stopSignal);
}

/** Listens from before the start on: whoever reads `listening` may ask for the end in the same moment. A second signal kills. */
function awaitSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}

async function stop(waybill: Waybill, log: ProcessLog, signal: string): Promise<void> {
  log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  await waybill.stop();
  log.info({}, 'stopped');
  await log.drained(LOG_LIMIT_MS);
  process.exit(0);
}

/** Beside the log, never in it: a token is a secret (D-8). */
function tell(token: StartToken, { dataDir: data }: Settings, log: Log): void {
  if (token.kind === 'ignored') log.warn({ data }, 'the given token was ignored: the data folder has others');
  const notice = tokenNotice(token, data);
  if (notice !== undefined) process.stderr.write(`\n${notice}\n\n`);
}

/** What a person can mend is said in a line; anything else is a bug, and shows where it is. */
function fail(error: unknown): never {
  const known = error instanceof InvalidSetting || error instanceof CannotListen || error instanceof DataFolderUnusable;
  process.stderr.write(`waybill: ${known ? error.message : (errorStack(error) ?? String(error))}\n`);
  process.exit(error instanceof InvalidSetting ? 2 : 1);
}

function errorStack(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
