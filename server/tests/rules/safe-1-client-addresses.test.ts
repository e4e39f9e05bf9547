import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createClientAddresses } from '../../http/client-addresses.ts';

/** A request that came from `peer` with this `X-Forwarded-For`. */
function requestFrom(peer: string | undefined, forwarded?: string): IncomingMessage {
  const request = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: peer }));
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

const TRUSTED = ['10.0.0.0/8', '2001:db8:1::/48'];

test.each([
  ['a peer that is no trusted proxy', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['a trusted proxy without the header', '10.0.0.1', undefined, '10.0.0.1'],
  ['a trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a trusted proxy over an IPv6 socket', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['a client that states an address of its choice', '10.0.0.1', '192.0.2.1, 198.51.100.1', '198.51.100.1'],
  ['a client that states a trusted proxy', '10.0.0.1', '10.9.9.9, 198.51.100.1', '198.51.100.1'],
  ['two trusted proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['trusted proxies alone', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['garbage', '10.0.0.1', '198.51.100.1, <script>', '10.0.0.1'],
  ['garbage behind the client', '10.0.0.1', '\0, 999.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['commas alone', '10.0.0.1', ','.repeat(16_000), '10.0.0.1'],
  ['a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['IPv6 with a port', '10.0.0.1', '[2001:db8:2::7]:4711', '2001:db8:2:0::/64'],
  ['IPv6 through an IPv6 proxy', '2001:db8:1::1', '2001:db8:2::7', '2001:db8:2:0::/64'],
  ['IPv6 by its network', '2001:DB8:3:4:5:6:7:8', undefined, '2001:db8:3:4::/64'],
  ['IPv6 of a link, whose name is no word', 'fe80::1%br-lan.100', undefined, 'fe80:0:0:0::/64'],
  ['a socket that has ended', undefined, '198.51.100.1', 'unknown'],
])('SAFE-1: limits count %s', (_case, peer, forwarded, counted) => {
  const addresses = createClientAddresses(TRUSTED);
  expect(addresses.forLimits(addresses.of(requestFrom(peer, forwarded)))).toBe(counted);
});

test('SAFE-1: without trusted proxies limits count the peer, whatever the header states', () => {
  const addresses = createClientAddresses([]);
  expect(addresses.forLimits(addresses.of(requestFrom('10.0.0.1', '198.51.100.1')))).toBe('10.0.0.1');
});

test('ING-8: behind trusted proxies an event gets the address that they saw', () => {
  const request = requestFrom('10.0.0.1', '192.0.2.1, 2001:db8:2::7');
  const told = (trusted: readonly string[]): string | undefined => {
    const addresses = createClientAddresses(trusted);
    return addresses.forEvents(request, addresses.of(request));
  };
  expect(told(TRUSTED)).toBe('2001:db8:2::7');
  expect(told([])).toBe('192.0.2.1');
});
