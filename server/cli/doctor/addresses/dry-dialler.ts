import { hostIn } from '../../../delivery/guarded-lookup.ts';
import { isIP } from 'node:net';
import type { Dialler } from '../../../delivery/undici-transport.ts';

/** With which every connection ends that would have been made. */
const NOT_DIALLED = 'the address would have been dialled';

/**
 * Goes as far as a socket goes before its first packet, and no further: an address is taken as it is, a name is looked
 * up, and each address that would be dialled is noted.
 */
export function dryDialler(onDial: (address: string) => void): Dialler {
  return ({ lookup }) =>
    ({ hostname }, callback) => {
      const host = hostIn({ hostname });
      if (isIP(host) !== 0) {
        onDial(host);
        return callback(new Error(NOT_DIALLED), null);
      }
      lookup(host, { all: true }, (error, addresses) => {
        if (error === null && Array.isArray(addresses)) for (const { address } of addresses) onDial(address);
        callback(error ?? new Error(NOT_DIALLED), null);
      });
    };
}
