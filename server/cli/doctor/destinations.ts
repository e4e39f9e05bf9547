import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { AddressGuard } from '../../delivery/address-guard.ts';
import { type EgressProxy, openTunnel } from '../../delivery/egress-proxy.ts';
import { checkUrl, hostIn } from '../../delivery/guarded-lookup.ts';
import { workspaceOf } from '../../model/resource-names.ts';
import type { Resolver } from '../../ports/resolver.ts';
import { failed, type Finding, ok, warning } from './finding.ts';
import { messageOf } from '../../thrown.ts';

/** Where webhooks go, and a destination that has one there. */
export interface Host {
  readonly url: URL;
  readonly destination: string;
}

/** Connects to an address, and answers the end of the certificate where there is one; rejects with what stood in the way. */
export type Connect = (url: URL, address: string) => Promise<Date | undefined>;

interface ConnectPorts {
  readonly connect: Connect;
  readonly now: number;
}

export interface HostPorts extends ConnectPorts {
  readonly resolve: Resolver;
  readonly guard: AddressGuard;
}

const TOGETHER = 8;
/** So long before its end a certificate is told: those that are renewed by machines are renewed earlier. */
export const SOON_MS = 14 * 86_400_000;

/** Looks up and connects to the host of each webhook, as far as a delivery would before its request. */
export function checkHosts(hosts: readonly Host[], ports: HostPorts): Promise<readonly Finding[]> {
  return checkEach(hosts, (host) => checkHost(host, ports));
}

/** The same where an egress proxy looks up the names; addresses in URLs are judged here. */
export function checkTunnels(hosts: readonly Host[], ports: Omit<HostPorts, 'resolve'>): Promise<readonly Finding[]> {
  return checkEach(hosts, async (host) => {
    const checked = checkUrl(host.url.href, ports.guard);
    if ('refused' in checked) return failed('addresses', `${wordsOf(host)}: ${checked.refused}`);
    return checkConnection(host, 'the egress proxy', ports);
  });
}

async function checkEach(
  hosts: readonly Host[],
  check: (host: Host) => Promise<Finding | undefined>,
): Promise<readonly Finding[]> {
  const each = [...new Map(hosts.map((host) => [host.url.origin, host])).values()];
  const findings: Finding[] = [];
  for (let at = 0; at < each.length; at += TOGETHER) {
    const found = await Promise.all(each.slice(at, at + TOGETHER).map(check));
    findings.push(...found.filter((one) => one !== undefined));
  }
  const well = each.length - findings.length;
  return [
    ...findings,
    ...(well > 0 || each.length === 0 ? [ok('destinations', `hosts of webhooks that can be reached: ${well}`)] : []),
  ];
}

async function checkHost(host: Host, ports: HostPorts): Promise<Finding | undefined> {
  const { resolve, guard } = ports;
  const words = wordsOf(host);
  const name = hostIn(host.url);
  const addresses = await resolve(name, workspaceOf(host.destination)).catch(codeOf);
  if (typeof addresses === 'string')
    return failed(
      'DNS',
      `${words} is not found (${addresses}): correct the webhook, or the name servers of this machine`,
    );
  const rulings = addresses.map(({ address }) => ({ address, ruling: guard(address) }));
  // One is enough: no webhook is sent to a name that leads there as well (D-28).
  const refused = rulings.filter(({ ruling }) => !ruling.allowed);
  const [first] = addresses;
  if (refused.length > 0) return failed('addresses', `${words} leads to ${forbidden(refused)}`);
  if (first === undefined) return failed('DNS', `${words} has no address`);
  return checkConnection(host, first.address, ports);
}

async function checkConnection(
  host: Host,
  address: string,
  { connect, now }: ConnectPorts,
): Promise<Finding | undefined> {
  const [{ url }, words] = [host, wordsOf(host)];
  const end = await connect(url, address).catch(codeOf);
  const check = isTls(url) ? 'TLS' : 'connection';
  if (typeof end === 'string') return failed(check, `${words} at ${address}: ${end}; ${wayOut(check)}`);
  if (end === undefined || end.getTime() - now > SOON_MS) return undefined;
  return warning('TLS', `the certificate of ${words} ends ${end.toISOString()}: its owner must renew it`);
}

function wordsOf({ url, destination }: Host): string {
  return `${url.host} (${destination})`;
}

function forbidden(
  rulings: readonly { readonly address: string; readonly ruling: ReturnType<AddressGuard> }[],
): string {
  const all = rulings.map(({ address, ruling }) => `${address} (${ruling.allowed ? '' : ruling.because})`).join(', ');
  return `${all}: webhooks there are refused; --allow-networks allows blocks that you trust`;
}

function wayOut(check: string): string {
  const network = 'a firewall between this machine and the receiver';
  return check === 'TLS'
    ? `look at the certificate of the receiver, or for ${network}`
    : `look for ${network}, or start it`;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return messageOf(error);
}

const TIMEOUT_MS = 5_000;

/** No request is sent. */
export const connectTo: Connect = (url, host) => {
  const place = { host, port: Number(portOf(url)) };
  return endOf(isTls(url) ? connectTls({ ...place, ...serverName(url) }) : connectPlain(place));
};

/** The proxy is asked for a tunnel, and the host for its certificate alone. */
export function connectThrough(proxy: EgressProxy): Connect {
  return async (url) => {
    const tunnel = await openTunnel(proxy, { hostname: hostIn(url), port: portOf(url) }, TIMEOUT_MS).catch(tell);
    if (isTls(url)) return endOf(connectTls({ socket: tunnel, ...serverName(url) }));
    tunnel.destroy();
    return undefined;
  };
}

/** What the proxy answered says more than the code of the error. */
function tell(error: unknown): never {
  throw new Error(messageOf(error));
}

function endOf(socket: Socket): Promise<Date | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): Date | undefined =>
      socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)));
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => (resolve(end()), socket.destroy()));
    socket.once('error', reject);
  });
}

function isTls({ protocol }: URL): boolean {
  return protocol === 'https:';
}

function portOf(url: URL): string {
  return url.port === '' ? (isTls(url) ? '443' : '80') : url.port;
}

function serverName({ hostname }: URL): { readonly servername?: string } {
  return /[a-z]/i.test(hostname) && !hostname.startsWith('[') ? { servername: hostname } : {};
}
