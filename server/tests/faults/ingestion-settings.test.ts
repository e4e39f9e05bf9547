import { expect, test } from 'vitest';
import { InvalidSetting } from '../../settings/invalid-setting.ts';
import { readSettings, SETTINGS } from '../../settings/settings.ts';

test('limits of ingestion are read with their units', () => {
  const flags = ['--max-connections=5', '--max-requests=6', '--max-body-memory=7MB', '--headers-timeout=250ms'];
  expect(readSettings(flags, { WAYBILL_REQUEST_TIMEOUT: '1m' })).toMatchObject({
    maxConnections: 5,
    maxRequests: 6,
    maxBodyBytes: 7_000_000,
    headersTimeoutMs: 250,
    requestTimeoutMs: 60_000,
  });
  expect(readSettings([], {})).toMatchObject({ maxConnections: 10_000, maxRequests: 1_000, maxBodyBytes: 64_000_000 });
  expect(readSettings(['--max-body-memory=2GB'], {}).maxBodyBytes).toBe(2_000_000_000);
});

test('a time is of whole milliseconds, as timers of Node demand', () => {
  const flags = ['--headers-timeout=0.1ms', '--request-timeout=1.1m'];
  expect(readSettings(flags, {})).toMatchObject({ headersTimeoutMs: 1, requestTimeoutMs: 66_000 });
});

const TIMES = Object.entries(SETTINGS).flatMap(([key, { flag }]) => (key.endsWith('Ms') ? [[flag, key] as const] : []));

test('the times among the settings are known', () => {
  expect(TIMES.length).toBeGreaterThan(5);
});

test.each(TIMES)('the longest time that --%s takes fits a timer, if it is a timeout, and a date', (flag, key) => {
  const told: unknown[] = [];
  const read = (value: string): number[] => {
    try {
      return [Number(Reflect.get(readSettings([`--${flag}=${value}`], {}), key))];
    } catch (error) {
      told.push(error);
      return [];
    }
  };
  const taken = ['2s', '24d', '25d', '49.8d', '3650d', '3651d', '99999999999d', `${'9'.repeat(400)}d`].flatMap(read);
  expect(Math.min(...taken)).toBe(2_000);
  expect(Math.max(...taken)).toBeLessThanOrEqual(flag.endsWith('-timeout') ? 2 ** 31 - 1 : 3_650 * 86_400_000);
  const words = { message: expect.stringMatching(/must be at most \d+[md]/) };
  expect(told).toMatchObject(Array.from({ length: 8 - taken.length }, () => words));
});

test.each(['constructor', 'toString', '__proto__'])('%s is a value as any other', (value) => {
  expect(readSettings(['--host', value], {})).toMatchObject({ host: value });
});

test.each([
  ['--max-connections', '0', 'must be an integer of at least 1'],
  ['--max-requests', '-1', 'must be an integer of at least 1'],
  ['--max-requests', '1.5', 'must be an integer of at least 1'],
  ['--max-requests', '99999999999999999999', 'must be an integer of at least 1'],
  ['--max-body-memory', '3999KB', 'must be at least 4MB, of which the largest batch takes a quarter'],
  ['--max-body-memory', '99999999GB', 'must be at most'],
  ['--max-body-memory', '64', 'with a unit: 500KB, 64MB or 1GB'],
  ['--max-body-memory', '0MB', 'with a unit: 500KB, 64MB or 1GB'],
  ['--max-body-memory', '1.5MB', 'with a unit: 500KB, 64MB or 1GB'],
  ['--headers-timeout', '0s', 'must be a number above 0'],
  ['--public-url', 'events.example.com', 'must be an http or https URL'],
  ['--public-url', 'https://u:p@events.example.com', 'must be an http or https URL'],
  ['--public-url', 'https://events.example.com/?a', 'must be an http or https URL'],
  ['--trusted-proxies', '10.0.0.1', 'is no CIDR block'],
  ['--docs', 'no', 'must be on or off'],
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
