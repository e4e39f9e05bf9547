import { createAddressGuard } from '../delivery/address-guard.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { inspectSecrets } from '../storage/file/inspect-secrets.ts';
import { type Place, readPlace } from '../storage/place.ts';
import { createKeyring, type Keyring } from '../storage/secrets/keyring.ts';
import { systemClock } from '../system-clock.ts';
import { createSystemResolver } from '../system-resolver.ts';
import type { Command } from './command.ts';
import { FORBIDDEN_FORMS } from './doctor/addresses/forbidden-forms.ts';
import { jsonLines, printout } from './doctor/addresses/printout.ts';
import { type FormVerdict, verdictOf } from './doctor/addresses/verdict.ts';
import { checkCertificate } from './doctor/certificate.ts';
import { checkClock } from './doctor/clock.ts';
import { checkDatabase } from './doctor/database.ts';
import { checkDataFolder } from './doctor/data-folder.ts';
import { checkHosts, checkTunnels, connectThrough, connectTo } from './doctor/destinations.ts';
import { failed, type Finding, findingLines, findingText, ok, type StorageReport, warning } from './doctor/finding.ts';
import { openFilesLimit } from '../http/open-files.ts';
import { checkDiskSpace, checkNode, checkOpenFiles, checkPort } from './doctor/machine.ts';
import { checkSecrets } from './doctor/secrets.ts';
import { checkSettings } from './doctor/settings.ts';
import { webhookHostsIn } from './doctor/webhook-hosts.ts';
import { messageOf } from '../thrown.ts';

/** What an operator asks before a start, or when something is wrong. It changes nothing, and sends nothing. */
export const doctor: Command = {
  name: 'doctor',
  help: `Usage: waybill doctor [--ssrf] [--destinations] [--json] [flags of serve]

Checks what a router would start with on this machine: Node.js, settings, the
data folder with its permissions, lock, formats and disk space and whether the
clock was set back, or the database with its privileges and durability, whether
secrets are encrypted, the port, how many files may be open, the certificate,
and the guard that keeps webhooks from private addresses. Nothing is changed,
and it may run beside the router.

  --ssrf                     the address guard alone: tries every known way to
                             write a forbidden address through the transport
                             that delivers, all but its last step. No packet is
                             sent. Each form is refused, allowed by the
                             settings, or escaped, which would be a fault
  --destinations             also the hosts of all enabled webhooks in a data
                             folder: looks up each name, and connects (through
                             the egress proxy where one is set), with a TLS
                             handshake for https. No request is sent
  --json                     one JSON object a line
  --allow-networks <blocks>  as the router would get it, and so all of its flags
                             ("waybill serve --help") and variables
  --help                     this text

Exit code: 0 when nothing failed, 1 when a check failed, 2 for a flag or a
setting that is invalid.`,
  run: async (args) => {
    outliveOutput();
    const has = (flag: string): boolean => args.includes(flag);
    const settings = readSettings(
      args.filter((arg) => !OWN_FLAGS.includes(arg)),
      process.env,
    );
    const verdicts = await judgeForms(settings);
    if (has('--ssrf')) return tellForms(verdicts, settings, has('--json'));
    const findings = await examine(settings, verdicts, has('--destinations'));
    console.log(has('--json') ? findingLines(findings) : findingText(findings));
    return findings.some(({ status }) => status === 'failed') ? 1 : 0;
  },
};

/** Those that are not the router's. */
const OWN_FLAGS = ['--json', '--ssrf', '--destinations'];

async function examine(
  settings: Settings,
  verdicts: readonly FormVerdict[],
  connects: boolean,
): Promise<readonly Finding[]> {
  const place = readPlace(settings.storage);
  const keyring = createKeyring(settings.secretKeys);
  const { findings, isInUse } = await checkStorage(place, keyring);
  const now = systemClock.now();
  return [
    checkNode(process.versions.node),
    ...checkSettings(process.env),
    ...findings,
    ...(place.engine === 'file' ? [checkDiskSpace(place.folder), checkClock(place.folder, now)] : []),
    await checkPort(settings, isInUse),
    ...checkOpenFiles(settings, openFilesLimit()),
    ...checkCertificate(settings, now),
    checkForms(verdicts, settings),
    ...(connects ? await checkDestinations(place, settings, keyring) : []),
  ];
}

async function checkDestinations(
  place: Place,
  { allowNetworks, egressProxy }: Settings,
  keyring: Keyring,
): Promise<readonly Finding[]> {
  if (place.engine === 'postgres')
    return [warning('destinations', 'they are looked at in a data folder alone; the log names those that fail')];
  try {
    const [hosts, now] = [await webhookHostsIn(place.folder, keyring), systemClock.now()];
    const guard = createAddressGuard(allowNetworks);
    if (egressProxy !== undefined)
      return await checkTunnels(hosts, { guard, connect: connectThrough(egressProxy), now });
    return await checkHosts(hosts, { resolve: createSystemResolver(), guard, connect: connectTo, now });
  } catch (error) {
    return [failed('destinations', messageOf(error))];
  }
}

async function checkStorage(place: Place, keyring: Keyring): Promise<StorageReport> {
  if (place.engine === 'postgres') return checkDatabase(place.url, place.shown, keyring);
  const { findings, isInUse } = checkDataFolder(place.folder);
  return { findings: [...findings, checkSecrets(inspectSecrets(place.folder), keyring)], isInUse };
}

function judgeForms({ allowNetworks }: Settings): Promise<FormVerdict[]> {
  const guard = createAddressGuard(allowNetworks);
  return Promise.all(FORBIDDEN_FORMS.map((form) => verdictOf(form, guard)));
}

function tellForms(verdicts: readonly FormVerdict[], { allowNetworks }: Settings, json: boolean): number {
  console.log(json ? jsonLines(verdicts) : printout(verdicts, allowNetworks));
  return verdicts.some(hasEscaped) ? 1 : 0;
}

function checkForms(verdicts: readonly FormVerdict[], { allowNetworks, egressProxy }: Settings): Finding {
  const escaped = verdicts.filter(hasEscaped).length;
  if (escaped > 0) {
    const detail = `${escaped} of ${verdicts.length} forbidden addresses could be reached; waybill doctor --ssrf lists them`;
    return failed('address guard', detail);
  }
  const allowed = verdicts.filter(({ verdict }) => verdict === 'allowed').length;
  const refused = `${verdicts.length - allowed} of ${verdicts.length} forbidden addresses are refused`;
  const but = allowed === 0 ? '' : `; --allow-networks ${allowNetworks.join(',')} allows ${allowed}`;
  const names = egressProxy === undefined ? '' : '; what names lead to is up to the egress proxy';
  return ok('address guard', `${refused}${but}${names}`);
}

function hasEscaped({ verdict }: FormVerdict): boolean {
  return verdict === 'escaped';
}

/** Whoever reads may hang up, as `head` does; there is still an exit code. */
function outliveOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
