import { ADDRCONFIG } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { ResolvedAddress, Resolver } from './ports/resolver.ts';

type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/**
 * The machine's own resolver, hosts file included. It holds a thread for as long as a name server is silent, and there
 * are few: connections that ask for the same name at the same time share one look-up, so that a dead name holds one.
 */
export function createSystemResolver(lookup: Lookup = ask): Resolver {
  const underWay = new Map<string, Promise<readonly ResolvedAddress[]>>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known !== undefined) return known;
    const answer = lookup(hostname)
      .then((found) => found.map(resolved))
      .finally(() => underWay.delete(hostname));
    underWay.set(hostname, answer);
    return answer;
  };
}

function ask(hostname: string): ReturnType<Lookup> {
  return systemLookup(hostname, { all: true, hints: ADDRCONFIG });
}

function resolved({ address, family }: { readonly address: string; readonly family: number }): ResolvedAddress {
  return { address, family: family === 6 ? 6 : 4 };
}
