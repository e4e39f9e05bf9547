/**
 * Where no webhook may lead (D-28): what the IANA special-purpose registries keep from the public internet, and what
 * tunnels IPv4 through IPv6, where the address that is really reached hides inside another. A network that lies inside
 * another stands before it, so that the first match gives the truest words.
 */
export const FORBIDDEN_NETWORKS: readonly (readonly [network: string, what: string])[] = [
  ['0.0.0.0/8', 'an address of this network'],
  ['10.0.0.0/8', 'a private address'],
  ['100.64.0.0/10', 'an address behind carrier-grade NAT'],
  ['127.0.0.0/8', 'a loopback address'],
  // Inside public space, but answered by the platform to each of its machines.
  ['168.63.129.16/32', 'the metadata address of a cloud'],
  ['169.254.0.0/16', 'a link-local address'],
  ['172.16.0.0/12', 'a private address'],
  ['192.0.0.0/24', 'an address for protocols'],
  ['192.0.2.0/24', 'an address for documentation'],
  ['192.31.196.0/24', 'an anycast address of AS112'],
  ['192.52.193.0/24', 'an anycast address for multicast relays'],
  ['192.88.99.0/24', 'an anycast address for 6to4 relays'],
  ['192.168.0.0/16', 'a private address'],
  ['192.175.48.0/24', 'an anycast address of AS112'],
  ['198.18.0.0/15', 'an address for benchmarks'],
  ['198.51.100.0/24', 'an address for documentation'],
  ['203.0.113.0/24', 'an address for documentation'],
  ['224.0.0.0/4', 'a multicast address'],
  ['255.255.255.255/32', 'the broadcast address'],
  ['240.0.0.0/4', 'a reserved address'],
  ['::/128', 'the unspecified address'],
  ['::1/128', 'a loopback address'],
  ['::/96', 'an IPv4-compatible address'],
  ['::ffff:0:0:0/96', 'an IPv4-translated address'],
  ['64:ff9b::/96', 'an IPv4 address behind NAT64'],
  ['64:ff9b:1::/48', 'an IPv4 address behind local NAT64'],
  ['100::/64', 'an address that discards'],
  ['100:0:0:1::/64', 'a dummy address'],
  ['2001::/32', 'a Teredo address'],
  ['2001:2::/48', 'an address for benchmarks'],
  ['2001:db8::/32', 'an address for documentation'],
  ['2001::/23', 'an address for protocols'],
  ['2002::/16', 'a 6to4 address'],
  ['2620:4f:8000::/48', 'an anycast address of AS112'],
  ['3fff::/20', 'an address for documentation'],
  ['5f00::/16', 'an address for segment routing'],
  ['fc00::/7', 'a unique local address'],
  ['fe80::/10', 'a link-local address'],
  ['fec0::/10', 'a site-local address'],
  ['ff00::/8', 'a multicast address'],
];

/** The only part of IPv6 that is given out to the public; all that is outside is refused, named above or not. */
export const PUBLIC_IPV6 = '2000::/3';
