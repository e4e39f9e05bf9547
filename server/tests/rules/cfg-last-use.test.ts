import { expect, test } from 'vitest';
import { startConfigApi } from '../support/config-api.ts';

test('D-8: a token shows when it was last used, to within a minute', async () => {
  const api = await startConfigApi();
  const wanted = { access_token: { description: 'CI', scopes: 'workspace:read' } };
  const { token, ...issued } = await api.ok('POST', '/access-tokens', wanted);
  expect(issued).not.toHaveProperty('last_used_time');
  const path = `/${String(issued['name'])}`;
  const use = async (): Promise<unknown> => {
    await api.ok('GET', '/workspaces', undefined, { token: String(token) });
    return (await api.ok('GET', path))['last_used_time'];
  };
  expect(await use()).toBe('2026-11-20T12:00:00Z');
  api.time.now += 59_000;
  expect(await use()).toBe('2026-11-20T12:00:00Z');
  api.time.now += 1_000;
  expect(await use()).toBe('2026-11-20T12:01:00Z');
});

test('CFG-20: a store that cannot write does not stand in the way of reads', async () => {
  const api = await startConfigApi();
  api.disk.refusal = new Error('ENOSPC');
  expect(await api.call('GET', '/workspaces')).toMatchObject({ status: 200 });
});
