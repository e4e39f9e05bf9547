/**
 * Forbidden addresses as they can be written into a URL, by kind, with credentials and port. Each is, once a client has
 * mended it, an address that is not public, or no host at all.
 */
export const LITERAL_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'private IPv4': hosts(`
    10.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 100.64.0.1 100.127.255.255
  `),
  'loopback and this network': hosts(`127.0.0.1 127.0.0.2 127.1.2.3 127.255.255.255 0.0.0.0 0.255.255.255`),
  'link-local IPv4': hosts(`169.254.0.1 169.254.255.255`),
  'cloud metadata': hosts(`
    169.254.169.254 169.254.170.2 169.254.170.23 169.254.0.23 100.100.100.200 192.0.0.192 168.63.129.16
    0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518
    [fd00:ec2::254] [fd00:ec2::23] [fd20:ce::254] [fe80::a9fe:a9fe] [::ffff:169.254.169.254]
  `),
  'benchmark, documentation, protocol': hosts(`
    198.18.0.1 198.19.255.255 192.0.2.1 198.51.100.1 203.0.113.1
    192.0.0.1 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1
  `),
  'multicast, reserved, broadcast': hosts(`224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.254 255.255.255.255`),
  'decimal, octal and hex': hosts(`
    2130706433 167772161 3232235521 0x7f000001 0x7f.0.0.1 0x7f.0x0.0x0.0x1 0X7F.1 0xa.0.0.1
    0177.0.0.1 017700000001 012.0.0.1 0300.0250.0.1 0177.0x0.1 127.000.000.001
  `),
  'short, dotted and escaped': hosts(`
    127.1 127.0.1 10.1 192.168.1 0 127.0.0.1. 10.0.0.1. 2130706433. %31%32%37.0.0.1 127%2e0%2e0%2e1 %30
  `),
  'loopback IPv6': hosts(`[::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001]`),
  'local IPv6': hosts(`
    [fc00::1] [fd00::1] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [feff::1]
    [fe80::1%25lo] [fe80::1%25eth0] [fe80::5efe:127.0.0.1] [ff02::1] [ff0e::1]
  `),
  'special IPv6': hosts(`
    [2001:db8::1] [3fff::1] [3fff:fff::1] [100::1] [100:0:0:1::1] [5f00::1] [2001:2::1]
    [2001:1::1] [2001:10::1] [2001:20::1] [2620:4f:8000::1] [1::1] [4000::1] [e000::1]
  `),
  'IPv4 inside IPv6': hosts(`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [0:0:0:0:0:ffff:c0a8:1] [::ffff:0.0.0.0]
    [::127.0.0.1] [::7f00:1] [::10.0.0.1] [::ffff:0:127.0.0.1] [::ffff:0:10.0.0.1]
  `),
  NAT64: hosts(`
    [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::169.254.169.254]
    [64:ff9b:1::1] [64:ff9b:1::127.0.0.1] [64:ff9b:1:ffff::10.0.0.1]
  `),
  '6to4 and Teredo': hosts(`
    [2002:7f00:1::] [2002:a00:1::1] [2002:c0a8:1::1] [2002:a9fe:a9fe::1]
    [2001::1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2]
  `),
  'letters that look alike': hosts(`
    ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 1\u{ad}27.0.0.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ٠x7f.1
  `),
  'credentials in front': hosts(`
    user:secret@127.0.0.1 example.com@127.0.0.1 example.com%40x@10.0.0.1 127.0.0.1:80@10.0.0.1
    93.184.216.34@169.254.169.254 @127.0.0.1 example.com:80@[::1]
  `),
  'odd ports': hosts(`127.0.0.1:22 127.0.0.1:25 127.0.0.1:2375 127.0.0.1:6379 10.0.0.1:65535 [::1]:443`),
};

/** The same, where the rest of the URL is part of the trick. */
export const LITERAL_URLS: Readonly<Record<string, readonly string[]>> = {
  'odd URLs': [
    'https://127.0.0.1/',
    'https://10.0.0.1:8443/',
    'http:127.0.0.1',
    'http:///127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http://127.0.0.1\\@example.com/',
    'http://127.0.0.1#@example.com/',
    'http://127.0.0.1?@example.com/',
    ' \thttp://127.0.0.1/',
    'ht\ntp://127.0.\n0.1/',
    'HTTP://0X7F.0.0.1/',
    '//127.0.0.1/',
    'http://127.0.0.1:99999/',
  ],
  'other schemes': [
    'file:///etc/passwd',
    'ftp://10.0.0.1/',
    'gopher://127.0.0.1:6379/_INFO',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
    'data:text/plain,x',
    'ws://127.0.0.1/',
    'javascript:alert(1)',
    'ldap://127.0.0.1/',
    'dict://127.0.0.1:11211/stat',
    'blob:http://127.0.0.1/x',
    '/var/run/docker.sock',
  ],
};

/** Parted by white space, of which a host has none. */
function hosts(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
