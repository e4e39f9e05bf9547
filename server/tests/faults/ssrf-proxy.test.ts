import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startRawReceiver } from '../support/raw-receiver.ts';

const TRANSPORT = fileURLToPath(new URL('../../delivery/undici-transport.ts', import.meta.url));
const GUARD = fileURLToPath(new URL('../../delivery/address-guard.ts', import.meta.url));
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Posts through the transport, then with the runtime's own fetch, and prints how each ended. */
const PROGRAM = `
  import { createAddressGuard } from ${JSON.stringify(GUARD)};
  import { createUndiciTransport } from ${JSON.stringify(TRANSPORT)};
  const [direct, elsewhere] = process.argv.slice(1);
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8']), 5000);
  const post = async (url) => {
    const request = { workspace: 'workspaces/main', url, headers: {}, body: Buffer.from('{}'), deadlineMs: 5000 };
    const result = await transport.post(request, new AbortController().signal);
    return result.status ?? result.failure;
  };
  const results = [await post(direct), await post('http://10.0.0.1/hook'), await post('https://10.0.0.1/hook')];
  await transport.close();
  results.push((await fetch(elsewhere, { method: 'POST', body: '{}' })).status);
  console.log(JSON.stringify(results));
`;

test('D-28: proxies in the environment are ignored', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end(OK));
  await using proxy = await startRawReceiver((socket) =>
    socket.end('HTTP/1.1 203 By The Proxy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  );
  const { origin } = new URL(proxy.url);
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const env = { NODE_USE_ENV_PROXY: '1', NO_PROXY: '', ...Object.fromEntries(proxies.map((name) => [name, origin])) };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, receiver.url, receiver.url],
    { env },
  );
  // The last one shows that the proxy was there, and that the variables do lead to it.
  expect(JSON.parse(stdout)).toEqual([200, 'blocked_address', 'blocked_address', 203]);
  expect(receiver.connections).toBe(1);
  expect(proxy.connections).toBe(1);
});
