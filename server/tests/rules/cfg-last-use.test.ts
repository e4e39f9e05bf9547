import { expect, test } from 'vitest';
import { createLastUse } from '../../resources/access-tokens.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { startConfigApi } from '../support/config-api.ts';
import { stillClock } from '../support/still-clock.ts';

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
  // No request waits for it to be written.
  await expect.poll(use).toBe('2026-11-20T12:00:00Z');
  api.time.now += 59_000;
  expect(await use()).toBe('2026-11-20T12:00:00Z');
  api.time.now += 1_000;
  await expect.poll(use).toBe('2026-11-20T12:01:00Z');
});

test('CFG-20: a store that cannot write does not stand in the way of reads', async () => {
  const api = await startConfigApi();
  api.disk.refusal = new Error('ENOSPC');
  expect(await api.call('GET', '/workspaces')).toMatchObject({ status: 200 });
});

test('D-8: the last use of a token is written once a minute, whichever router was asked', async () => {
  const { store, time, log } = await startConfigApi();
  const writes: Promise<unknown>[] = [];
  const update: ConfigStore['update'] = (kind, name, change) => {
    const written = store.update(kind, name, change);
    writes.push(written);
    return written;
  };
  const ports = { store: { ...store, update }, clock: stillClock(() => time.now) };
  const routers = [createLastUse(ports, log), createLastUse(ports, log)];
  const useAll = async (): Promise<number> => {
    for (const use of routers) {
      const [row] = await store.list('access-tokens', '', { after: 0, limit: 1 });
      if (row !== undefined) use(row.resource);
      await Promise.all(writes);
    }
    return writes.length;
  };
  expect([await useAll(), await useAll()]).toEqual([1, 1]);
  time.now += 60_000;
  expect(await useAll()).toBe(2);
});
