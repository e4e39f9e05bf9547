import { expect, test } from 'vitest';
import { InvalidSetting, readSettings } from '../../settings/settings.ts';

test('limits of ingestion are read with their units', () => {
  const flags = ['--max-connections=5', '--max-requests=6', '--max-body-memory=7KB', '--headers-timeout=250ms'];
  expect(readSettings(flags, { WAYBILL_REQUEST_TIMEOUT: '1m' })).toMatchObject({
    maxConnections: 5,
    maxRequests: 6,
    maxBodyBytes: 7_000,
    headersTimeoutMs: 250,
    requestTimeoutMs: 60_000,
  });
  expect(readSettings([], {})).toMatchObject({ maxConnections: 10_000, maxRequests: 1_000, maxBodyBytes: 64_000_000 });
  expect(readSettings(['--max-body-memory=2GB'], {}).maxBodyBytes).toBe(2_000_000_000);
});

test.each([
  ['--max-connections', '0', 'a whole number from 1 up'],
  ['--max-requests', '-1', 'a whole number from 1 up'],
  ['--max-requests', '1.5', 'a whole number from 1 up'],
  ['--max-requests', '99999999999999999999', 'a whole number from 1 up'],
  ['--max-body-memory', '64', 'with its unit: 500KB, 64MB or 1GB'],
  ['--max-body-memory', '0MB', 'with its unit: 500KB, 64MB or 1GB'],
  ['--max-body-memory', '1.5MB', 'with its unit: 500KB, 64MB or 1GB'],
  ['--headers-timeout', '0s', 'a duration is a number above 0'],
  ['--public-url', 'events.example.com', 'an http or https address'],
  ['--public-url', 'https://u:p@events.example.com', 'an http or https address'],
  ['--public-url', 'https://events.example.com/?a', 'an http or https address'],
  ['--trusted-proxies', '10.0.0.1', 'is no CIDR block'],
  ['--docs', 'no', 'it is on or off'],
])('%s %s is refused with the way out', (flag, value, words) => {
  const read = (): unknown => readSettings([`${flag}=${value}`], {});
  expect(read).toThrow(InvalidSetting);
  expect(read).toThrow(`${flag} "${value}"`);
  expect(read).toThrow(words);
});

test.each([
  [['--no-docs'], {}, false],
  [['--docs', 'off'], {}, false],
  [[], { WAYBILL_DOCS: 'off' }, false],
  [['--docs=on'], { WAYBILL_DOCS: 'off' }, true],
  [[], {}, true],
])('the reference is switched by %j and %j', (flags, env, docs) => {
  expect(readSettings(flags, env).docs).toBe(docs);
});

test('a public URL is kept without its last slash', () => {
  expect(readSettings(['--public-url=HTTPS://Events.example.com/'], {}).publicUrl).toBe('https://events.example.com');
  expect(readSettings(['--public-url=http://a.example:81/in/'], {}).publicUrl).toBe('http://a.example:81/in');
  expect(readSettings([], {}).publicUrl).toBeUndefined();
});
