import { expect, test } from 'vitest';
import { startConfigApi, TOKEN, withWebhooks } from '../support/config-api.ts';

const SECRETS = ['s3cret-shared', 'Bearer-of-a-header', 'k'.repeat(32)];

test('no token, key, secret or header value reaches the log', async () => {
  const api = await startConfigApi();
  const [secret, header, key] = SECRETS;
  const hooks = [{ hook: 'https://example.com', headers: { Authorization: header } }];
  await withWebhooks(api, {
    config: [
      { name: 'sharedSecret', value: secret },
      { name: 'hooks', value: hooks },
    ],
  });
  const source = { name: 'workspaces/main/sources/ios', write_keys: [key] };
  await api.ok('POST', '/workspaces/main/sources', { source });
  const issued = await api.ok('POST', '/access-tokens', { access_token: { description: 'x', scopes: 'workspace' } });
  await api.call('GET', '/workspaces', undefined, { token: 'a-wrong-token' });
  api.disk.refusal = new Error('ENOSPC: no space left on device');
  const failed = await api.call('POST', '/workspaces/main/sources', {
    source: { ...source, name: 'workspaces/main/sources/b' },
  });
  expect([failed.status, api.log.lines.length]).toEqual([409, 4]);
  const broken = { source: { name: 'workspaces/main/sources/c', write_keys: ['c'.repeat(32)] } };
  expect(await api.call('POST', '/workspaces/main/sources', broken)).toMatchObject({ status: 503 });
  const logged = JSON.stringify(api.log.lines);
  expect(logged).toContain('ENOSPC');
  for (const hidden of [...SECRETS, TOKEN, String(issued['token']), 'a-wrong-token', 'c'.repeat(32)]) {
    expect(logged).not.toContain(hidden);
  }
});

test.each([
  ['without a mask', { source: { labels: { team: 'web' } } }, 0],
  ['with an empty mask', { source: {}, update_mask: { paths: [] } }, 0],
  ['with a mask', { source: { labels: { team: 'web' } }, update_mask: 'source.labels' }, 1],
])('an update %s is a line where it changes something', async (_what, body, lines) => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces/main/sources', { source: { name: 'workspaces/main/sources/ios' } });
  const before = api.log.lines.length;
  await api.ok('PATCH', '/workspaces/main/sources/ios', body);
  expect(api.log.lines.length - before).toBe(lines);
});

test('each change is one line that says who and what', async () => {
  const api = await startConfigApi();
  await api.ok('POST', '/workspaces', { workspace: { name: 'workspaces/second' } });
  await api.ok('GET', '/workspaces');
  const fields = { method: 'POST', path: '/v1beta/workspaces', by: expect.stringMatching(/^access-tokens\/\d+$/) };
  expect(api.log.lines).toEqual([{ level: 'info', fields, message: 'configuration changed' }]);
});
