/**
 * `npm run doctor:ssrf -- [flags of the router] [--json]`: tries every known way to write a forbidden address against
 * the settings of this machine, through the transport that delivers, all but its last step: no packet is sent.
 */
import { createAddressGuard } from '../server/delivery/address-guard.ts';
import { InvalidSetting, readSettings } from '../server/settings.ts';
import { FORBIDDEN_FORMS } from './doctor-ssrf/forbidden-forms.ts';
import { jsonLines, printout } from './doctor-ssrf/printout.ts';
import { type FormVerdict, verdictOf } from './doctor-ssrf/verdict.ts';

const args = process.argv.slice(2);
try {
  const settings = readSettings(
    args.filter((arg) => arg !== '--json'),
    process.env,
  );
  const guard = createAddressGuard(settings.allowNetworks);
  const verdicts = await Promise.all(FORBIDDEN_FORMS.map((form) => verdictOf(form, guard)));
  console.log(args.includes('--json') ? jsonLines(verdicts) : printout(verdicts, settings.allowNetworks));
  process.exitCode = verdicts.every(holds) ? 0 : 1;
} catch (error) {
  if (!(error instanceof InvalidSetting)) throw error;
  console.error(`doctor:ssrf: ${error.message}`);
  process.exitCode = 2;
}

function holds({ verdict }: FormVerdict): boolean {
  return verdict !== 'escaped';
}
