import ipaddr from 'ipaddr.js';
import { FORBIDDEN_NETWORKS, PUBLIC_IPV6 } from './forbidden-networks.ts';

/** Whether an address may be reached, and what decided: `public`, or the block of the operator that names it. */
export type Ruling =
  | { readonly allowed: true; readonly by: string }
  | { readonly allowed: false; readonly because: string };

/** Whether an address may be reached (D-28). */
export type AddressGuard = (address: string) => Ruling;

/** Thrown for a block that is no CIDR block; names the value seen. */
export class InvalidNetwork extends Error {
  override readonly name = 'InvalidNetwork';
}

type Address = ReturnType<typeof ipaddr.process>;
type Block = ReturnType<typeof ipaddr.parseCIDR>;

const FORBIDDEN = FORBIDDEN_NETWORKS.map(([network, what]) => ({ block: ipaddr.parseCIDR(network), what }));
const PUBLIC = ipaddr.parseCIDR(PUBLIC_IPV6);

/**
 * Allows public unicast addresses, and those within `networks` (CIDR blocks). An IPv4 address mapped into IPv6 is judged
 * as the IPv4 address that it is; the operator's blocks come before everything.
 */
export function createAddressGuard(networks: readonly string[]): AddressGuard {
  const allowed = networks.map((network) => ({ block: parseNetwork(network), network: network.trim() }));
  return (address) => {
    if (!ipaddr.isValid(address)) return { allowed: false, because: 'no IP address' };
    const plain = ipaddr.process(address);
    const named = allowed.find(({ block }) => contains(block, plain));
    if (named !== undefined) return { allowed: true, by: named.network };
    const because = fault(plain);
    return because === undefined ? { allowed: true, by: 'public' } : { allowed: false, because };
  };
}

/** What keeps an address from being public. */
function fault(address: Address): string | undefined {
  const forbidden = FORBIDDEN.find(({ block }) => contains(block, address));
  if (forbidden !== undefined) return forbidden.what;
  return address.kind() === 'ipv6' && !contains(PUBLIC, address) ? 'an address that is not given out' : undefined;
}

/**
 * Stricter than the parser, which takes `127/8` for 0.0.0.127/8. Mapped blocks are refused because mapped addresses are
 * judged as IPv4: such a block would allow nothing.
 */
function parseNetwork(network: string): Block {
  const block = network.trim();
  const [base = '', length = '', ...more] = block.split('/');
  const isWhole = more.length === 0;
  if (isWhole && ipaddr.IPv4.isValidFourPartDecimal(base) && isLength(length, 32)) return ipaddr.parseCIDR(block);
  if (isWhole && ipaddr.IPv6.isValid(base) && isLength(length, 128)) {
    if (!ipaddr.IPv6.parse(base).isIPv4MappedAddress()) return ipaddr.parseCIDR(block);
    throw new InvalidNetwork(`${JSON.stringify(network)} is IPv4 mapped into IPv6: write it as the IPv4 block it is`);
  }
  throw new InvalidNetwork(`${JSON.stringify(network)} is no CIDR block such as 127.0.0.0/8`);
}

function isLength(text: string, most: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= most;
}

function contains(block: Block, address: Address): boolean {
  return block[0].kind() === address.kind() && address.match(block);
}
