import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { createAddressGuard, InvalidNetwork } from '../../delivery/address-guard.ts';
import { FORBIDDEN_NETWORKS } from '../../delivery/forbidden-networks.ts';
import { checkUrl, BLOCKED_ADDRESS, guardedLookup } from '../../delivery/guarded-lookup.ts';
import type { Resolver } from '../../ports/resolver.ts';
import { createSystemResolver } from '../../system-resolver.ts';

const strict = createAddressGuard([]);

test.each(FORBIDDEN_NETWORKS)('D-28: %s is refused from its first address to its last', (network) => {
  for (const address of ends(network)) expect(strict(address), address).toMatchObject({ allowed: false });
});

test.each(['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'])(
  'public neighbors of forbidden networks are allowed: %s',
  (address) => expect(strict(address)).toEqual({ allowed: true, by: 'public' }),
);

test.each([
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '168.63.129.15',
])('more public neighbors are allowed: %s', (address) =>
  expect(strict(address)).toEqual({ allowed: true, by: 'public' }),
);

test.each(['2606:4700::1111', '2001:4860:4860::8888', '2a00::1', '3ffe::1', '::ffff:8.8.8.8', '2001:200::1'])(
  'public IPv6 is allowed: %s',
  (address) => expect(strict(address)).toEqual({ allowed: true, by: 'public' }),
);

test('what another table calls special is refused here as well', () => {
  const other = samples().filter((one) => ipaddr.process(one).range() !== 'unicast');
  expect(other.length).toBeGreaterThan(1_000);
  expect(other.filter((address) => strict(address).allowed)).toEqual([]);
});

test('the blocks of the operator come first, and are named', () => {
  const guard = createAddressGuard(['10.1.0.0/16', 'fd00::/8']);
  expect(guard('10.1.2.3')).toEqual({ allowed: true, by: '10.1.0.0/16' });
  expect(guard('::ffff:10.1.2.3')).toEqual({ allowed: true, by: '10.1.0.0/16' });
  expect(guard('fd12::1')).toEqual({ allowed: true, by: 'fd00::/8' });
  expect(guard('10.2.0.0')).toMatchObject({ allowed: false });
  expect(guard('64:ff9b::10.1.2.3')).toMatchObject({ allowed: false });
  expect(guard('2002:a01:203::')).toMatchObject({ allowed: false });
  expect(guard('8.8.8.8')).toEqual({ allowed: true, by: 'public' });
});

test.each([
  '127/8',
  '10.0.0.1',
  '0x7f.0.0.0/8',
  '10.0.0.0/33',
  '10.0.0.0/',
  'fd00::/129',
  '10.0.0.0/8/8',
  '::ffff:10.0.0.0/104',
  'x',
  '10.0.0.0/0x8',
  '10.0.0.0/-1',
  '10.0.0.0/8.0',
  '10.0.0.0/x8',
  '10.0.0.0/0008',
  'fd00::/0008',
  'fd00::/8/8',
])('a block that would allow something else is refused: %s', (network) =>
  expect(() => createAddressGuard([network])).toThrow(InvalidNetwork),
);

test.each([
  ['10.0.0', '"10.0.0" is no CIDR block such as 127.0.0.0/8'],
  ['::ffff:10.0.0.0/104', '"::ffff:10.0.0.0/104" is IPv4 mapped into IPv6: write it as the IPv4 block it is'],
])('a refusal of the block %s says why', (network, message) => {
  expect(() => createAddressGuard(['10.0.0.0/8', network])).toThrow(new InvalidNetwork(message));
});

test.each([
  ['10.1.2.3/32', '10.1.2.3', '10.1.2.2'],
  ['fd00::2/128', 'fd00::2', 'fd00::3'],
  ['10.0.0.0/31', '10.0.0.1', '10.0.0.2'],
  ['  10.9.0.0/16 ', '10.9.255.255', '10.10.0.0'],
])('the block "%s" allows %s, and not %s', (network, within, without) => {
  const guard = createAddressGuard([network]);
  expect(guard(within)).toEqual({ allowed: true, by: network.trim() });
  expect(guard(without)).toMatchObject({ allowed: false });
});

test('a block of all addresses of a family allows none of the other', () => {
  const [all4, all6] = [createAddressGuard(['0.0.0.0/0']), createAddressGuard(['::/0'])];
  expect([all4('127.0.0.1').allowed, all4('::1').allowed]).toEqual([true, false]);
  expect([all6('127.0.0.1').allowed, all6('::1').allowed]).toEqual([false, true]);
});

test.each([
  ['127.0.0.1', FORBIDDEN_NETWORKS.find(([network]) => network === '127.0.0.0/8')?.[1]],
  ['4000::1', 'an address that is not given out'],
  ['localhost', 'no IP address'],
])('D-28: a refusal of %s says what it is', (address, because) => {
  expect(because).toEqual(expect.any(String));
  expect(strict(address)).toEqual({ allowed: false, because });
});

test('what is no address is refused', () => {
  for (const text of ['', 'localhost', '10.0.0', 'fe80::zz']) expect(strict(text)).toMatchObject({ allowed: false });
});

test('a name without an address is a DNS error', async () => {
  const error = Object.assign(new Error('name.test has no address'), { code: 'ENOTFOUND' });
  expect(await look(() => Promise.resolve([]))).toEqual([error, '', 0]);
});

test('a look-up that fails passes its error on, whatever it is', async () => {
  const error = Object.assign(new Error('try again'), { code: 'EAI_AGAIN' });
  expect((await look(() => Promise.reject(error)))[0]).toBe(error);
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a resolver of others may do so
  expect(await look(() => Promise.reject('broken'))).toEqual([new Error('broken'), '', 0]);
});

const FOUND = [
  { address: '2606:4700::1111', family: 6 },
  { address: '1.1.1.1', family: 4 },
] as const;

test('all addresses of a public name are given on in order, or the first to who wants one', async () => {
  expect(await look(() => Promise.resolve(FOUND))).toEqual([null, FOUND]);
  expect(await look(() => Promise.resolve(FOUND), false)).toEqual([null, '2606:4700::1111', 6]);
});

test.each(['10.0.0.1', 'fd00::1'])(
  'D-28: a name of which one address may not be reached, %s, leads nowhere',
  async (address) => {
    for (const found of [[{ address, family: 4 }], [...FOUND, { address, family: 4 }]] as const) {
      const [error] = await look(() => Promise.resolve(found));
      expect(error).toMatchObject({ code: BLOCKED_ADDRESS, message: expect.stringMatching('^name.test leads to a') });
      // A tenant learns no address of the operator's network by a name.
      expect(error).toMatchObject({ message: expect.not.stringContaining(address) });
      expect(error).toMatchObject({ message: expect.stringContaining('--allow-networks') });
    }
  },
);

test.each([
  ['no url', 'the URL cannot be read'],
  ['ftp://1.1.1.1/', 'ftp: is neither http: nor https:'],
  ['file:///etc/passwd', 'file: is neither http: nor https:'],
  ['http://10.0.0.1/', '10.0.0.1, '],
  ['https://[::1]/', '::1, '],
])('D-28: the URL %s is refused: %s', (url, refused) => {
  expect(checkUrl(url, strict)).toEqual({ refused: expect.stringMatching(`^${refused}`) });
});

test.each(['http://1.1.1.1/a?b', 'https://[2606:4700::1111]/', 'https://a.test/', 'http://localhost/'])(
  'D-28: the URL %s may be posted to, as far as can be seen without a look-up',
  (url) => expect(checkUrl(url, strict)).toEqual({ url: new URL(url) }),
);

test('connections that ask for a name at once share a look-up', async () => {
  let asked = 0;
  const answer = Promise.withResolvers<{ address: string; family: number }[]>();
  const resolver = createSystemResolver(() => {
    asked += 1;
    return answer.promise;
  });
  const together = [
    resolver('a.test', 'workspaces/main'),
    resolver('a.test', 'workspaces/main'),
    resolver('b.test', 'workspaces/main'),
  ];
  answer.resolve([{ address: '1.1.1.1', family: 4 }]);
  const found = [{ address: '1.1.1.1', family: 4 }];
  expect(await Promise.all(together)).toEqual([found, found, found]);
  expect(asked).toBe(2);
  await resolver('a.test', 'workspaces/main');
  expect(asked).toBe(3);
});

test('the machine resolves its own name for itself', async () => {
  const found = await createSystemResolver()('localhost', 'workspaces/main');
  expect(found.map(({ address }) => strict(address).allowed)).not.toContain(true);
  expect(found.length).toBeGreaterThan(0);
});

/** What a look-up calls back with, once. */
async function look(resolver: Resolver, all = true): Promise<readonly unknown[]> {
  const answers: (readonly unknown[])[] = [];
  guardedLookup(strict, resolver, 'workspaces/main')('name.test', { all }, (...answer) => answers.push(answer));
  // The next turn: all that it waits for are answers that are there.
  await new Promise(setImmediate);
  expect(answers).toHaveLength(1);
  return answers[0] ?? [];
}

function ends(network: string): string[] {
  const [address, length] = ipaddr.parseCIDR(network);
  const first = address.toByteArray();
  const last = first.map((byte, index) => byte | (0xff >> Math.min(8, Math.max(0, length - index * 8))));
  return [first, last].map((bytes) => ipaddr.fromByteArray(bytes).toString());
}

/** Addresses spread over all of both families, the same in every run. */
function samples(): string[] {
  const v4 = Array.from({ length: 65_536 }, (_, i) => `${i >> 8}.${i & 0xff}.${(i * 7) & 0xff}.${(i * 13) & 0xff}`);
  const v6 = Array.from({ length: 65_536 }, (_, i) => `${i.toString(16)}:${((i * 31) & 0xffff).toString(16)}::1`);
  return [...v4, ...v6];
}
