import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where requests come from, through the proxies that are trusted. */
export interface ClientAddresses {
  /** Who called the first proxy that is trusted, or this router; undefined once they hung up. */
  of(request: IncomingMessage): string | undefined;
  /** What limits count a client by: its address; of IPv6 the network, since each client has one of its own. */
  forLimits(client: string | undefined): string;
  /**
   * What an event is told of its sender, who is `client`. Where no proxy is trusted, what the header states first is believed:
   * that gives a sender nothing, as it may state an address of its choice in the event itself.
   */
  forEvents(request: IncomingMessage, client: string | undefined): string | undefined;
}

/** `trusted`: CIDR blocks of the proxies whose `X-Forwarded-For` is believed. */
export function createClientAddresses(trusted: readonly string[]): ClientAddresses {
  const isTrusted = createTrust(trusted);
  const clientOf = (request: IncomingMessage): string | undefined => {
    let client = addressIn(request.socket.remoteAddress ?? '');
    if (client === undefined || !isTrusted(client)) return client;
    // Each proxy adds whom it was called by at the end: the last one that is no trusted proxy is the client.
    for (const hop of forwardedFor(request).toReversed()) {
      const address = addressIn(hop);
      if (address === undefined) return client;
      client = address;
      if (!isTrusted(client)) return client;
    }
    return client;
  };
  return {
    of: clientOf,
    forLimits: networkOf,
    forEvents: (request, client) => {
      const stated = trusted.length === 0 ? forwardedFor(request)[0] : undefined;
      return (stated === undefined ? undefined : addressIn(stated)) ?? client;
    },
  };
}

function createTrust(blocks: readonly string[]): (address: string) => boolean {
  if (blocks.length === 0) return () => false;
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', length] = block.split('/');
    list.addSubnet(network, Number(length), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function forwardedFor({ headers }: IncomingMessage): readonly string[] {
  const header = headers['x-forwarded-for'];
  return header === undefined ? [] : String(header).split(',');
}

/** Some proxies add a port. An IPv4 address that came over an IPv6 socket is written as what it is. */
function addressIn(text: string): string | undefined {
  const hop = text.trim();
  const [, bracketed, bare = hop] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? [];
  const address = (bracketed ?? bare).replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? undefined : address;
}

function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (isIPv4(address)) return address;
  // Behind `%` is the name of an interface, which may hold what the parser refuses.
  const { parts } = ipaddr.IPv6.parse(address.replace(/%.*$/s, ''));
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
