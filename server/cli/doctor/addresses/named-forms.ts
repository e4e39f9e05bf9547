/** Documentation would be refused itself, so that these stand for what is public. No packet is ever sent to them. */
export const PUBLIC_ADDRESSES = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'] as const;
const [V4, V6] = PUBLIC_ADDRESSES;

/** A host name, and what DNS says for it: one list of addresses for each look-up, in order. */
export interface NamedForm {
  readonly host: string;
  readonly answers: readonly (readonly string[])[];
}

/** One name for each kind of forbidden address. */
const EACH_KIND = `
  10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 127.0.0.1 127.0.0.53 0.0.0.0 169.254.0.1 169.254.169.254
  100.100.100.200 168.63.129.16 192.0.0.192 198.18.0.1 192.0.2.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1
  240.0.0.1 255.255.255.255 ::1 :: fd00::1 fe80::1 fe80::1%lo fec0::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
  ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::1 2002:7f00:1:: 2001::1 2001:db8::1 3fff::1 100::1
  5f00::1 4000::1 fd00:ec2::254
`;

export const NAMED_FORMS: Readonly<Record<string, readonly NamedForm[]>> = {
  'names of one forbidden address': EACH_KIND.trim()
    .split(/\s+/)
    .map((address) => named(`${slug(address)}.example.com`, [address])),
  'names of this machine': [
    named('localhost', ['127.0.0.1']),
    named('localhost.', ['::1', '127.0.0.1']),
    named('LOCALHOST', ['127.0.0.1']),
    named('ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', ['127.0.0.1']),
    named('anything.localhost', ['127.0.0.1']),
    named('ip6-localhost', ['::1']),
    named('metadata.google.internal', ['169.254.169.254']),
    named('host.docker.internal', ['192.168.65.2']),
    named('intranet', ['10.1.2.3']),
  ],
  'several records, one of them bad': [
    named('good-then-bad.example.com', [V4, '10.0.0.1']),
    named('bad-then-good.example.com', ['10.0.0.1', V4]),
    named('last-of-nine.example.com', [V4, V4, V4, V4, V4, V4, V4, V4, '127.0.0.1']),
    named('good-a-bad-aaaa.example.com', [V4, '::1']),
    named('bad-a-good-aaaa.example.com', [V6, '127.0.0.1']),
    named('good-a-mapped-aaaa.example.com', [V4, '::ffff:169.254.169.254']),
    named('two-bad-families.example.com', ['fd00::1', '10.0.0.1']),
  ],
  // Whoever resolves follows aliases, so that a chain is seen by where it ends.
  'aliases (CNAME) that end inside': [
    named('alias-to-metadata.example.com', ['169.254.169.254']),
    named('alias-to-alias-to-loopback.example.com', ['127.0.0.1']),
    named('alias-with-public-detour.example.com', [V4, '172.16.0.1']),
  ],
  // Public while it is checked, another by the time it is used: only one look-up per connection withstands.
  'names that change between look-ups': [
    named('rebinds-to-loopback.example.com', [V4], ['127.0.0.1']),
    named('rebinds-to-metadata.example.com', [V4], ['169.254.169.254']),
    named('rebinds-to-ipv6-loopback.example.com', [V6], ['::1']),
    named('rebinds-to-mapped.example.com', [V4], ['::ffff:10.0.0.1']),
    named('rebinds-in-part.example.com', [V4], [V4, '10.0.0.1']),
    named('rebinds-late.example.com', [V4], [V4], [V4], ['192.168.0.1']),
  ],
};

function named(host: string, ...answers: (readonly string[])[]): NamedForm {
  return { host, answers };
}

/** `::ffff:10.0.0.1` as the first label of a host name. */
function slug(address: string): string {
  return `to-${address.replaceAll(/[^\da-z]+/g, '-').replaceAll(/^-|-$/g, 'x')}`;
}
