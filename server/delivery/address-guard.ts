import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The code of the error with which a look-up ends when a name leads to an address that may not be reached. */
export const BLOCKED_ADDRESS = 'WAYBILL_BLOCKED_ADDRESS';

/** Whether an address may be reached (D-28). */
export type AddressGuard = (address: string) => boolean;

/** Thrown for a block that is no CIDR block; names the value seen. */
export class InvalidNetwork extends Error {
  override readonly name = 'InvalidNetwork';
}

/**
 * Allows public unicast addresses, and those within `networks` (CIDR blocks). An IPv4 address mapped into IPv6 is judged
 * as the IPv4 address that it is.
 */
export function createAddressGuard(networks: readonly string[]): AddressGuard {
  const allowed = networks.map(parseNetwork);
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const plain = ipaddr.process(address);
    return plain.range() === 'unicast' || allowed.some((block) => contains(block, plain));
  };
}

type Block = ReturnType<typeof ipaddr.parseCIDR>;

function parseNetwork(network: string): Block {
  try {
    return ipaddr.parseCIDR(network.trim());
  } catch (cause) {
    throw new InvalidNetwork(`${JSON.stringify(network)} is no CIDR block such as 127.0.0.0/8`, { cause });
  }
}

function contains(block: Block, address: ReturnType<typeof ipaddr.process>): boolean {
  return block[0].kind() === address.kind() && address.match(block);
}

/**
 * A DNS look-up that refuses a name as soon as one of its addresses may not be reached. The addresses it answers are
 * the ones that are then connected to: nothing looks twice, so a name cannot change between check and use.
 */
export function guardedLookup(guard: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const blocked = addresses.find(({ address }) => !guard(address));
      if (blocked !== undefined) {
        const message = `${hostname} leads to ${blocked.address}, which is not a public address`;
        return callback(Object.assign(new Error(message), { code: BLOCKED_ADDRESS }), '', 0);
      }
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}
