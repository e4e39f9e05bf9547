/**
 * `npm run doctor:ssrf -- [flags of the router] [--json]`: tries every known way to write a forbidden address against
 * the settings of this machine, through the transport that delivers, all but its last step: no packet is sent.
 */
import { createAddressGuard } from '../server/delivery/address-guard.ts';
import { wantsHelp } from '../server/settings/settings-help.ts';
import { InvalidSetting, readSettings } from '../server/settings/settings.ts';
import { outliveOutput } from '../testbed/command-line/terminal.ts';
import { FORBIDDEN_FORMS } from './doctor-ssrf/forbidden-forms.ts';
import { HELP } from './doctor-ssrf/help.ts';
import { jsonLines, printout } from './doctor-ssrf/printout.ts';
import { type FormVerdict, verdictOf } from './doctor-ssrf/verdict.ts';

outliveOutput();
const args = process.argv.slice(2);
try {
  process.exitCode = wantsHelp(args) ? help() : await examine(args);
} catch (error) {
  if (!(error instanceof InvalidSetting)) throw error;
  console.error(`doctor:ssrf: ${error.message}`);
  process.exitCode = 2;
}

function help(): number {
  console.log(HELP);
  return 0;
}

/** Answers the exit code. */
async function examine(flags: readonly string[]): Promise<number> {
  const settings = readSettings(
    flags.filter((flag) => flag !== '--json'),
    process.env,
  );
  const guard = createAddressGuard(settings.allowNetworks);
  const verdicts = await Promise.all(FORBIDDEN_FORMS.map((form) => verdictOf(form, guard)));
  console.log(flags.includes('--json') ? jsonLines(verdicts) : printout(verdicts, settings.allowNetworks));
  return verdicts.every(holds) ? 0 : 1;
}

function holds({ verdict }: FormVerdict): boolean {
  return verdict !== 'escaped';
}
