import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type ConfigClientOptions, createConfigClient } from '../../config/index.ts';

const GOOD = { baseUrl: 'http://127.0.0.1:8080', token: 'a-token' };

function create(options: Record<string, unknown>) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- programs without types can pass anything
  return createConfigClient(options as unknown as ConfigClientOptions);
}

describe('createConfigClient', () => {
  test.each([
    [{ baseUrl: undefined }, 'baseUrl is undefined; give an http or https URL'],
    [{ baseUrl: 'router:8080' }, 'baseUrl is "router:8080"; give an http or https URL'],
    [{ baseUrl: 'ftp://router' }, 'baseUrl is "ftp://router"; give an http or https URL'],
    [{ baseUrl: 'http://router?x=1' }, 'baseUrl is "http://router?x=1"; leave out the query'],
    [{ baseUrl: 'http://router/#x' }, 'baseUrl is "http://router/#x"; leave out the query'],
    [{ baseUrl: 'http://router/v1beta/' }, 'baseUrl is "http://router/v1beta/"; leave out /v1beta'],
    [{ token: undefined }, 'token is undefined; give an access token'],
    [{ token: '' }, 'token is a string of 0 characters; give an access token'],
    [{ fetch: 'fetch' }, 'fetch is "fetch"; give a function'],
    [{ clock: { now: Date.now } }, 'clock.sleep is undefined; give a function'],
    [{ random: 0.5 }, 'random is 0.5; give a function'],
    [{ timeoutMs: 0 }, 'timeoutMs is 0; give a whole number from 1 to 2147483647'],
    [{ timeoutMs: '30' }, 'timeoutMs is "30"; give a whole number'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs is 2147483648; give a whole number'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs is Infinity; give a whole number'],
    [{ retry: { maxRetries: -1 } }, 'retry.maxRetries is -1; give a whole number from 0 to 100'],
    [{ retry: { maxRetries: 1.5 } }, 'retry.maxRetries is 1.5; give a whole number from 0 to 100'],
    [{ retry: { longestWaitMs: Number.NaN } }, 'retry.longestWaitMs is NaN; give a whole number'],
    [
      { retry: { firstWaitMs: 2000, longestWaitMs: 1000 } },
      'retry.firstWaitMs is 2000; give a whole number from 0 to 1000',
    ],
  ])('refuses %o', (options, message) => {
    expect(() => create({ ...GOOD, ...options })).toThrow(TypeError);
    expect(() => create({ ...GOOD, ...options })).toThrow(`createConfigClient: ${message}`);
  });

  test.each([undefined, 'http://127.0.0.1:8080'])('says what to give instead of %j', (options) => {
    expect(() => Reflect.apply(createConfigClient, undefined, [options])).toThrow(
      `createConfigClient: the options are ${typeof options}; give { baseUrl, token }`,
    );
  });

  test.each([
    {},
    { baseUrl: 'https://router.example/waybill/' },
    { timeoutMs: 1, retry: { maxRetries: 0, longestWaitMs: 0 } },
    { retry: {}, fetch: undefined, clock: undefined, random: undefined, timeoutMs: undefined },
  ])('takes %o', (options) => {
    expect(Object.keys(create({ ...GOOD, ...options }))).toContain('sources');
  });

  test.each(['a secret', 'secret\n', 'sécret'])('a bad token is refused unseen: %j', (token) => {
    const message = messageOf(() => create({ ...GOOD, token }));
    expect(message).toContain(`token is a string of ${token.length} characters`);
    expect(message).not.toMatch(/s[eé]cret/);
  });

  test('a password in the baseUrl is refused unseen', () => {
    const message = messageOf(() => create({ ...GOOD, baseUrl: 'http://me:hunter2@router' }));
    expect(message).toContain('baseUrl holds a user name or password');
    expect(message).not.toContain('hunter2');
  });

  test('a client that is printed does not show its token', () => {
    const client = createConfigClient(GOOD);
    expect(inspect(client, { depth: Infinity, showHidden: true })).not.toContain(GOOD.token);
    expect(JSON.stringify(client)).not.toContain(GOOD.token);
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    return String(thrown);
  }
  throw new Error('nothing was thrown');
}
