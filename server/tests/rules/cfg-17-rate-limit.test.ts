import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadDocument, METHODS } from '../../http/document.ts';
import { createMemoryRateLimit } from '../../http/rate-limit.ts';
import { type Answer, type ConfigApiServer, startConfigApi } from '../support/config-api.ts';

const MINUTE = 60_000;

// The library reads the time itself, so the test owns it there; sockets keep their timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

function startLimited(limit: number): Promise<ConfigApiServer> {
  return startConfigApi(undefined, { rateLimit: createMemoryRateLimit(limit) });
}

function shown({ headers }: Answer): (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((what) => headers.get(`x-ratelimit-${what}`));
}

async function statuses(count: number, call: () => Promise<Answer>): Promise<number[]> {
  const found: number[] = [];
  for (let sent = 0; sent < count; sent += 1) found.push((await call()).status);
  return found;
}

test('CFG-17: request 201 of a minute is a 429 with code 8', async () => {
  const api = await startLimited(200);
  const passed = await statuses(200, () => api.call('GET', '/workspaces/main'));
  expect(new Set(passed)).toEqual(new Set([200]));
  const refused = await api.call('GET', '/workspaces/main');
  expect(refused).toMatchObject({ status: 429, body: { error: expect.stringContaining('200 a minute'), code: 8 } });
});

test('CFG-17, D-9: answers tell what is left, and a 429 when to come back', async () => {
  const api = await startLimited(2);
  expect(shown(await api.call('GET', '/workspaces'))).toEqual(['2', '1', '60']);
  vi.setSystemTime(20_000);
  const missing = await api.call('GET', '/workspaces/none');
  expect([missing.status, ...shown(missing)]).toEqual([404, '2', '0', '40']);
  const refused = await api.call('GET', '/workspaces');
  expect([refused.status, ...shown(refused), refused.headers.get('retry-after')]).toEqual([429, '2', '0', '40', '40']);
  expect(missing.headers.get('retry-after')).toBeNull();
});

test('CFG-17: the next minute begins with all requests again', async () => {
  const api = await startLimited(1);
  const call = (): Promise<Answer> => api.call('GET', '/workspaces');
  expect(await statuses(2, call)).toEqual([200, 429]);
  vi.setSystemTime(MINUTE - 1);
  expect(await statuses(1, call)).toEqual([429]);
  vi.setSystemTime(MINUTE);
  expect(await statuses(2, call)).toEqual([200, 429]);
});

test('D-9: each token is counted for itself', async () => {
  const api = await startLimited(2);
  const body = { access_token: { description: 'other', scopes: 'workspace:read' } };
  const { token } = await api.ok('POST', '/access-tokens', body);
  expect(await statuses(2, () => api.call('GET', '/workspaces'))).toEqual([200, 429]);
  expect(await api.call('GET', '/workspaces', undefined, { token: String(token) })).toMatchObject({ status: 200 });
});

test('CFG-17: tokens of the same first workspace have five times the requests of one together, and no one else fewer', async () => {
  const api = await startLimited(10);
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/north' } });
  const make = async (workspace_names: readonly string[]): Promise<string> => {
    const body = { access_token: { description: 'a tenant', scopes: 'workspace', workspace_names } };
    return String((await api.ok('POST', '/access-tokens', body))['token']);
  };
  const tokens: string[] = [];
  for (let made = 0; made < 7; made += 1) {
    tokens.push(await make(made % 2 === 0 ? ['workspaces/main'] : ['workspaces/north', 'workspaces/main']));
  }
  const other = await make(['workspaces/north']);
  const call = (token?: string): Promise<Answer> =>
    api.call('GET', '/workspaces/main', undefined, token ? { token } : {});
  const answers: number[] = [];
  for (const token of tokens) answers.push(...(await statuses(8, () => call(token))));
  expect(answers.indexOf(429)).toBe(50);
  expect(answers.filter((status) => status === 429)).toHaveLength(6);
  const refused = await call(tokens[6]);
  expect(refused.body['error']).toMatch(
    /^too many requests with the tokens of workspaces\/main: the limit is 50 a minute/,
  );
  expect([refused.headers.get('retry-after'), ...shown(refused)]).toEqual(['60', '10', '1', '60']);
  expect((await call()).status).toBe(200);
  expect(await api.call('GET', '/workspaces/north', undefined, { token: other })).toMatchObject({ status: 200 });
  vi.setSystemTime(MINUTE);
  expect((await call(tokens[6])).status).toBe(200);
});

test('D-9: failures to authenticate are limited by address, good tokens are not', async () => {
  const api = await startLimited(2);
  const guess = (): Promise<Answer> => api.call('GET', '/workspaces', undefined, { token: 'guess' });
  expect(await statuses(4, guess)).toEqual([401, 401, 429, 429]);
  const refused = await guess();
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(refused.body['error']).toContain('failed authentications');
  expect(await api.call('GET', '/workspaces')).toMatchObject({ status: 200 });
});

test('D-5: the rate is checked before path, scope and body', async () => {
  const api = await startLimited(1);
  await api.ok('GET', '/workspaces');
  expect(await api.call('GET', '/nothing')).toMatchObject({ status: 429 });
  expect(await api.call('POST', '/workspaces', '{')).toMatchObject({ status: 429 });
});

test('D-9: without a limit nothing is counted, and no header says so', async () => {
  const api = await startConfigApi();
  expect(shown(await api.call('GET', '/workspaces'))).toEqual([null, null, null]);
});

test('CFG-18: a limiter that breaks is a 500 without inner detail', async () => {
  const api = await startConfigApi(undefined, {
    rateLimit: { take: () => Promise.reject(new Error('the inner detail')) },
  });
  const answer = await api.call('GET', '/workspaces');
  expect(answer).toMatchObject({ status: 500, body: { error: 'error while processing the request', code: 13 } });
});

test('CFG-17: every operation documents the 429', () => {
  const { paths } = loadDocument('config-api');
  const operations = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  expect(operations.length).toBeGreaterThan(50);
  const silent = operations.filter(({ responses }) => !Object.hasOwn(responses, '429'));
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});

test('HOOK-21, CFG-17: a wall that is set back by an hour neither lengthens the minute nor says so', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 2 * 60 * MINUTE });
  const limit = createMemoryRateLimit(1);
  await limit.take('one');
  vi.setSystemTime(60 * MINUTE);
  expect(await limit.take('one')).toMatchObject({ isWithin: false, resetS: 60 });
  vi.advanceTimersByTime(MINUTE);
  expect(await limit.take('one')).toMatchObject({ isWithin: true });
});
