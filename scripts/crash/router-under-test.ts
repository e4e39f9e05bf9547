/**
 * The router of production with something between it and its ports: `--crash accept:before-commit@3` kills it there, and
 * `--defect hasty` makes it one that a crash run must not pass. Everything else is a flag of the router.
 */
import { setEnvironmentData } from 'node:worker_threads';
import { createProcessLog } from '../../server/operations/log/process-log.ts';
import type { Transport } from '../../server/ports/transport.ts';
import { readSettings } from '../../server/settings/settings.ts';
import type { Storage } from '../../server/storage/storage.ts';
import { startWaybill, type Seams } from '../../server/app.ts';
import { createFuse, parseCrash, printCrash } from './crash-points.ts';
import { defectNamed } from './defects.ts';
import { dyingStorage } from './dying-storage.ts';
import { dyingSync } from './dying-sync.ts';

const { crash: crashText, defect, settings: flags } = split(process.argv.slice(2));
const crash = crashText === undefined ? undefined : parseCrash(crashText);
if (crash !== undefined) setEnvironmentData('crash', printCrash(crash));
const pass = createFuse(crash);

const settings = readSettings(flags, {});
const log = createProcessLog(settings.logLevel, false);
const thread = new URL('./dying-thread.ts', import.meta.url);
/** The window is that of production, which no run outlasts; waits are as short as it allows. */
const policy = { maxWaitMs: 150_000 };
/** A thread passes its points itself. */
const around = settings.storage.startsWith('file:') ? same : dyingStorage(pass);
const wrong = defect === undefined ? {} : defectNamed(defect);
const { storage: broken = same } = wrong;
const storage = (own: Storage): Storage => broken(dyingSync(pass)(around(own)));
const seams: Seams = { thread, policy, transport: dying, ...wrong, storage };
const waybill = await startWaybill(settings, log, seams);
log.info({ url: waybill.url }, 'listening');
process.once('SIGTERM', () => void waybill.stop().then(() => process.exit(0)));

function dying(own: Transport): Transport {
  return {
    post: async (request, signal) => {
      pass('send:before-request');
      const result = await own.post(request, signal);
      pass('send:after-answer');
      return result;
    },
    close: () => own.close(),
  };
}

function same(own: Storage): Storage {
  return own;
}

interface Arguments {
  crash?: string;
  defect?: string;
  readonly settings: string[];
}

function split(args: readonly string[]): Arguments {
  const found: Arguments = { settings: [] };
  for (let at = 0; at < args.length; at += 2) {
    const [flag = '', value = ''] = args.slice(at, at + 2);
    if (flag === '--crash') found.crash = value;
    else if (flag === '--defect') found.defect = value;
    else found.settings.push(flag, value);
  }
  return found;
}
