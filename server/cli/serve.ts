import type { Waybill } from '../app.ts';
import { connectionsWithin, MORE_FILES, openFilesLimit } from '../http/open-files.ts';
import { createProcessLog, type ProcessLog } from '../operations/log/process-log.ts';
import type { Log } from '../ports/log.ts';
import type { StartToken } from '../resources/bootstrap.ts';
import { HELP } from '../settings/settings-help.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { unknownVariables } from '../settings/unknown-variables.ts';
import { StoreUnavailable } from '../storage/config-store.ts';
import { StorageUnusable } from '../storage/errors.ts';
import { sortIn } from '../storage/file/disk-room.ts';
import { type Place, readPlace } from '../storage/place.ts';
import { hurryLookUps } from '../system-resolver.ts';
import { cameFirst, type Command, report } from './command.ts';
import { greeting, tokenNotice } from './greeting.ts';
import { refuseForeignData } from './place.ts';
import { requireListening } from './start-checks.ts';

/** A stop that takes longer than this is ended; what was not recorded is taken up at the next start. */
const STOP_LIMIT_MS = 9_500;
/** Whoever reads the log may have stopped. */
const LOG_LIMIT_MS = 1_000;

/** The router in the foreground, until a signal ends it. It leaves the process itself: nothing may hold that up. */
export const serve: Command = {
  name: 'serve',
  help: HELP,
  run: async (args) => {
    try {
      return process.exit(await serveUntilStopped(args));
    } catch (error) {
      return process.exit(report(error, 'serve'));
    }
  },
};

async function serveUntilStopped(flags: readonly string[]): Promise<number> {
  hurryLookUps(process.env);
  const asked = readSettings(flags, process.env);
  const isTerminal = process.stdout.isTTY;
  const log = createProcessLog(asked.logLevel, isTerminal);
  const settings = withinOpenFiles(asked, log);
  const stopSignal = awaitSignal();
  for (const fields of unknownVariables(process.env))
    log.warn({ ...fields }, 'this variable is not a setting, and is ignored');
  const place = readPlace(settings.storage);
  if (place.engine === 'file') {
    refuseForeignData(place.folder);
    sortIn(place.folder, process.env);
  }
  await requireListening(settings);
  // Most of a start: whoever is refused before has not waited for it.
  const { startWaybill } = await import('../app.ts');
  const waybill = await startWaybill(settings, log).catch((error: unknown) => refuseStart(error, place));
  // Without a certificate the signal ends the process, as it does every other.
  if (settings.tlsCert !== undefined) process.on('SIGHUP', () => waybill.reload());
  tell(waybill.startToken, place, log);
  if (isTerminal) process.stdout.write(greeting(waybill.url, settings));
  else log.info({ url: waybill.url, data: place.shown }, 'listening');
  await stop(waybill, log, await stopSignal);
  return 0;
}

function withinOpenFiles(asked: Settings, log: Log): Settings {
  const openFiles = openFilesLimit();
  const maxConnections = connectionsWithin(openFiles, asked.maxConnections);
  if (maxConnections < asked.maxConnections)
    log.warn({ openFiles, maxConnections }, `too few files may be open for --max-connections: ${MORE_FILES}`);
  return { ...asked, maxConnections };
}

/** What a storage says of a write that failed does not name the storage, as its clients may read it. */
function refuseStart(thrown: unknown, { shown }: Place): never {
  const error = cameFirst(thrown);
  if (!(error instanceof StoreUnavailable)) throw thrown;
  throw new StorageUnusable(`cannot start with the data in ${shown}: ${error.message}`, { cause: thrown });
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
}

/** Beside the log, never in it: a token is a secret (D-8). */
function tell(token: StartToken, place: Place, log: Log): void {
  const { shown: data } = place;
  if (token.kind === 'ignored') log.warn({ data }, 'the given token was ignored: the storage has others');
  const notice = tokenNotice(token, place);
  if (notice !== undefined) process.stderr.write(`\n${notice}\n\n`);
}
