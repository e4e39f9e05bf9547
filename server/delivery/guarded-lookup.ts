import { isIP, type LookupFunction } from 'node:net';
import type { ResolvedAddress, Resolver } from '../ports/resolver.ts';
import type { AddressGuard } from './address-guard.ts';
import { errorOf, errorWith } from '../thrown.ts';

/** The code of the error with which a look-up ends when a name leads to an address that may not be reached. */
export const BLOCKED_ADDRESS = 'WAYBILL_BLOCKED_ADDRESS';

/**
 * A DNS look-up that refuses a name as soon as one of its addresses may not be reached. The addresses it answers are
 * the ones that are then connected to: nothing looks twice, so a name cannot change between check and use (D-28).
 */
export function guardedLookup(guard: AddressGuard, resolver: Resolver, workspace: string): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname, guard, () => resolver(hostname, workspace)).then(
      ([first, ...others]) => {
        if (options.all === true) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(errorOf(error), '', 0),
    );
  };
}

async function addressesOf(
  hostname: string,
  guard: AddressGuard,
  resolve: () => ReturnType<Resolver>,
): Promise<[ResolvedAddress, ...ResolvedAddress[]]> {
  const [first, ...others] = await resolve();
  if (first === undefined) throw errorWith('ENOTFOUND', `${hostname} has no address`);
  for (const { address } of [first, ...others]) {
    const ruling = guard(address);
    // Tenants read it in their log: what names of the operator's network resolve to is not theirs to learn.
    if (!ruling.allowed) throw errorWith(BLOCKED_ADDRESS, refusal(`${hostname} leads to ${ruling.because}`));
  }
  return [first, ...others];
}

/** A URL that may be posted to, as far as it can be seen without a look-up; or why it may not. */
export type CheckedUrl = { readonly url: URL } | { readonly refused: string };

/** An address that is written in the URL is never looked up, so that it has to be judged here (D-28). */
export function checkUrl(text: string, guard: AddressGuard): CheckedUrl {
  const url = URL.parse(text);
  if (url === null) return { refused: 'the URL cannot be read' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { refused: `${url.protocol} is neither http: nor https:` };
  }
  const literal = hostIn(url);
  const ruling = isIP(literal) === 0 ? undefined : guard(literal);
  return ruling?.allowed === false ? { refused: refusal(`${literal}, ${ruling.because}`) } : { url };
}

/** The name or address in a URL, of IPv6 without brackets. */
export function hostIn({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function refusal(what: string): string {
  return `${what}; only public addresses are reached, and those that WAYBILL_ALLOW_NETWORKS (--allow-networks) names`;
}
