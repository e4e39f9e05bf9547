import { ADDRCONFIG } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { NameTurns } from './fairness/name-turns.ts';
import type { ResolvedAddress, Resolver } from './ports/resolver.ts';

type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/**
 * More threads, half of which look up names, and a second try of each look-up while an attempt still waits for it. Of the process, as
 * libuv and glibc read it at the first look-up; what the operator set stays.
 */
export function hurryLookUps(environment: NodeJS.ProcessEnv): void {
  environment['UV_THREADPOOL_SIZE'] ??= '8';
  environment['RES_OPTIONS'] ??= 'timeout:2 attempts:2';
}

/** How many look-ups Node has under way at once. */
function placesOf({ UV_THREADPOOL_SIZE: size = '4' }: NodeJS.ProcessEnv): number {
  const threads = Math.min(1_024, Math.max(1, Number.parseInt(size, 10) || 1));
  return Math.floor((threads + 1) / 2);
}

/**
 * The machine's own resolver, hosts file included. It holds a thread for as long as a name server is silent, and there
 * are few: connections that ask for the same name at the same time share one look-up, so that a dead name holds one, and dead
 * names leave some for others.
 */
export function createSystemResolver(lookup: Lookup = ask): Resolver {
  const lookUp = async (hostname: string) => (await lookup(hostname)).map(resolved);
  const turns = new NameTurns({ lookUp, places: placesOf(process.env) });
  return (hostname, workspace) => turns.ask(hostname, workspace);
}

function ask(hostname: string): ReturnType<Lookup> {
  return systemLookup(hostname, { all: true, hints: ADDRCONFIG });
}

function resolved({ address, family }: { readonly address: string; readonly family: number }): ResolvedAddress {
  return { address, family: family === 6 ? 6 : 4 };
}
