import { createProcessLog } from '../../operations/log/process-log.ts';
import { readSettings } from '../../settings/settings.ts';
import { startWaybill } from '../../app.ts';
import { answerMeasurements } from './measured-process.ts';

/** The router with the flags of the command line. */
const { url } = await startWaybill(readSettings(process.argv.slice(2), {}), createProcessLog('silent', false));
answerMeasurements(url);
