import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startConfigApi, TOKEN } from '../../server/tests/support/config-api.ts';
import { type CommandLine, connectedTo } from './support/command-line.ts';

const SECRETS = 'secrets were not compared: this token only reads, and does not see them\n';

function fileWith(hook: string, sharedSecret: string, enabled = true): string {
  const headers = [{ key: 'X-A', value: sharedSecret }];
  const config = [
    { name: 'hooks', value: [{ hook, headers }] },
    { name: 'sharedSecret', value: sharedSecret },
    { name: 'maxPerSecond', value: 5 },
  ];
  const destinations = { webhooks: { enabled, config }, analytics: { config: [{ name: 'apiKey', value: 'k' }] } };
  const web = { write_keys: [sharedSecret], destinations };
  return stringify({ version: 1, workspaces: { main: { sources: { web } } } });
}

/** Somebody who may write, and somebody who only reads. */
async function startRouter() {
  const api = await startConfigApi();
  const access_token = { description: 'CI', scopes: 'workspace:read' };
  const { token } = await api.ok('POST', '/access-tokens', { access_token });
  const by =
    (own: string) =>
    (stdin: string): CommandLine =>
      connectedTo(api.url, own, { stdin });
  return { writer: by(TOKEN), reader: by(String(token)) };
}

test('a token that only reads compares all but secrets, and it is said', async () => {
  const { writer, reader } = await startRouter();
  const file = fileWith('https://a.example.com/h', 'one');
  await writer(file)('apply', '-f', '-', '--yes');
  for (const one of [file, fileWith('https://a.example.com/other', 'two')])
    expect(await reader(one)('diff', '-f', '-')).toEqual({
      status: 0,
      stdout: '',
      stderr: `${SECRETS}no difference\n`,
    });
  const moved = await reader(fileWith('https://b.example.com/h', 'one', false))('diff', '-f', '-');
  expect(moved).toMatchObject({
    status: 1,
    stdout: '~ main/web/webhooks\n    enabled: true → false\n    config: hooks\n',
  });
  expect((await writer(file)('diff', '-f', '-')).stderr).toBe('no difference\n');
});

test('a token that only reads applies nothing, whatever it sees', async () => {
  const { writer, reader } = await startRouter();
  const file = fileWith('https://a.example.com/h', 'one');
  await writer(file)('apply', '-f', '-', '--yes');
  expect(await reader(fileWith('https://a.example.com/h', 'two'))('apply', '-f', '-', '--yes')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'waybill: this token only reads: apply needs one with write scope\n',
  });
});
