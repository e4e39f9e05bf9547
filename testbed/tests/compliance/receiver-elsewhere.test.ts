import pc from 'picocolors';
import { expect, test } from 'vitest';
import { elsewhere } from '../../command-line/elsewhere.ts';
import { humanReport } from '../../command-line/human-report.ts';
import { runReceiver } from '../support/command.ts';
import { event, post } from '../support/posting.ts';

const NETWORKS = {
  lo: [
    { address: '127.0.0.1', family: 'IPv4', internal: true },
    { address: '::1', family: 'IPv6', internal: true },
  ],
  eth0: [
    { address: '192.168.1.5', family: 'IPv4', internal: false },
    { address: '2001:db8::5', family: 'IPv6', internal: false },
    { address: 'fe80::5', family: 'IPv6', internal: false },
  ],
  gone: undefined,
} as const;

test.each([
  ['127.0.0.1', 'http://127.0.0.1:9000', undefined],
  ['192.168.1.5', 'http://192.168.1.5:9000', undefined],
  ['0.0.0.0', 'http://127.0.0.1:9000', ['http://192.168.1.5:9000']],
  ['::', 'https://[::1]:9000', ['https://192.168.1.5:9000', 'https://[2001:db8::5]:9000']],
])('what listens on %s is reached from elsewhere by the addresses that others have a way to', (host, url, urls) => {
  expect(elsewhere(host, url, NETWORKS)).toEqual(urls);
});

function opening(more: { readonly elsewhere?: readonly string[]; readonly ca?: string }): string {
  const report = humanReport({ colors: pc.createColors(false), width: () => 120 });
  return report.start({ url: 'http://127.0.0.1:9000', endpoints: [], seed: 0, ...more }).join('\n');
}

test('the opening names the addresses for others, and says when there are none', () => {
  expect(opening({})).not.toContain('elsewhere');
  expect(opening({ elsewhere: [] })).toMatch(/elsewhere +nowhere: this machine has no other address/);
  const urls = ['http://192.168.1.5:9000', 'http://10.0.0.5:9000'];
  expect(opening({ elsewhere: urls })).toMatch(
    /elsewhere +http:\/\/192\.168\.1\.5:9000, for other machines and containers\n +http:\/\/10\.0\.0\.5:9000/,
  );
  expect(opening({ elsewhere: urls, ca: 'ca.pem' })).toContain(', where the name in its certificate is not checked');
});

test('a receiver on all addresses is reached by each that it names', async () => {
  await using command = runReceiver('--port', '0', '--host', '0.0.0.0', '--json');
  const [line = ''] = await command.until(/\{"kind":"listening".*/);
  const { url, elsewhere: others = [] }: { url: string; elsewhere?: string[] } = JSON.parse(line);
  const answers = await Promise.all([url, ...others].map(async (each) => (await post(each, event('track'))).status));
  expect(answers).toEqual([url, ...others].map(() => 200));
});

test('a receiver on this machine alone names no other address', async () => {
  await using command = runReceiver('--port', '0', '--json');
  const [line = ''] = await command.until(/\{"kind":"listening".*/);
  expect(JSON.parse(line)).not.toHaveProperty('elsewhere');
});
