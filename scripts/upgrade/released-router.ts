/**
 * The router of another checkout, with a policy of its own so that a few seconds show what takes hours:
 * `node released-router.ts <checkout> <policy as JSON> <flags of the router>`.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Parts {
  readonly startWaybill: (
    settings: unknown,
    log: Log,
    seams: object,
  ) => Promise<{ url: string; stop: () => Promise<void> }>;
  readonly readSettings: (flags: readonly string[], environment: object) => { readonly logLevel: string };
  readonly createProcessLog: (level: string) => Log;
}

interface Log {
  info(fields: object, message: string): void;
}

const [checkout = '', policy = '{}', ...flags] = process.argv.slice(2);
const { startWaybill } = await load<Pick<Parts, 'startWaybill'>>('server/waybill.ts');
const { readSettings } = await load<Pick<Parts, 'readSettings'>>('server/settings.ts');
const { createProcessLog } = await load<Pick<Parts, 'createProcessLog'>>('server/log/process-log.ts');

process.umask(0o077);
const settings = readSettings(flags, {});
const log = createProcessLog(settings.logLevel);
const waybill = await startWaybill(settings, log, { policy: JSON.parse(policy) });
log.info({ url: waybill.url }, 'listening');
process.once('SIGTERM', () => void waybill.stop().then(() => process.exit(0)));

function load<T>(file: string): Promise<T> {
  return import(pathToFileURL(join(checkout, file)).href);
}
