import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAuthority, tlsOptionsOf } from '../../../testbed/tls/tls-fault.ts';
import { startTlsReceiver } from '../../../testbed/tls/tls-receiver.ts';
import { checkTunnels, connectThrough } from '../../cli/doctor/destinations.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { type EgressProxy, throughProxy } from '../../delivery/egress-proxy.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import { classOf, outcomeOf } from '../../model/outcome.ts';
import type { PostResult } from '../../ports/transport.ts';
import { egressProxy } from '../../settings/setting-values.ts';
import { readSettings } from '../../settings/settings.ts';
import { portOf, startRawReceiver } from '../support/raw-receiver.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const NOW = Date.now();
const AUTHORITY = createAuthority(NOW);
const SYSTEM = getCACertificates('default');
const D = 'workspaces/main/sources/js/destinations/webhooks';

beforeAll(() => setDefaultCACertificates([...SYSTEM, AUTHORITY.certificate]));
afterAll(() => setDefaultCACertificates(SYSTEM));

/** What the proxy does with who asks for a tunnel. */
type Serve = (request: Pick<IncomingMessage, 'url'>, socket: Duplex, head: Buffer) => void;

/** Connects to the port that was asked for on this machine, whatever the name. */
const tunnel: Serve = ({ url = '' }, socket, head) => {
  const target = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.write(head);
    socket.pipe(target).pipe(socket);
  });
  const end = (): void => void (target.destroy(), socket.destroy());
  target.on('error', end).on('close', end);
  socket.on('error', end).on('close', end);
};

interface StartedProxy {
  readonly proxy: EgressProxy;
  /** Of each tunnel, the host that was asked for, and the credentials. */
  readonly asked: (readonly [string | undefined, string | undefined])[];
}

async function startProxy(serve: Serve = tunnel, user = '', scheme = 'http'): Promise<StartedProxy> {
  const asked: StartedProxy['asked'] = [];
  const sockets = new Set<Socket>();
  const server = scheme === 'http' ? createServer() : createTlsServer(tlsOptionsOf('none', AUTHORITY, NOW));
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, socket, head) => {
    asked.push([request.url, request.headers['proxy-authorization']]);
    serve(request, socket, head);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const host = scheme === 'http' ? '127.0.0.1' : 'localhost';
  return { proxy: egressProxy(`${scheme}://${user}${host}:${portOf(server)}`), asked };
}

/** Posts one after the other; nothing is looked up by the router itself. */
async function post(proxy: EgressProxy, urls: readonly string[], deadlineMs = 5_000): Promise<readonly PostResult[]> {
  const transport = createUndiciTransport(createAddressGuard([]), deadlineMs, {
    dialler: throughProxy(proxy),
    resolver: () => Promise.reject(new Error('the router looked up a name')),
  });
  const request = { workspace: 'workspaces/main', headers: {}, body: Buffer.from('{"type":"track"}'), deadlineMs };
  const results: PostResult[] = [];
  for (const url of urls) results.push(await transport.post({ ...request, url }, new AbortController().signal));
  await transport.close();
  return results;
}

test.each(['http', 'https'])(
  'webhooks are sent through tunnels of the %s egress proxy, which looks up their names',
  async (scheme) => {
    const { proxy, asked } = await startProxy(tunnel, 'waybill:pass%20word@', scheme);
    await using plain = await startRawReceiver((socket) => socket.write(OK));
    await using secure = await startTlsReceiver('none', AUTHORITY, NOW);
    const named = plain.url.replace('127.0.0.1', 'hooks.example.test');
    const results = await post(proxy, [named, secure.url, named, secure.url]);
    for (const result of results) expect(result).toMatchObject({ kind: 'answered', status: 200, excerpt: 'ok' });
    expect(results.length).toBe(4);
    expect(plain.received).toContain(`POST /hook HTTP/1.1\r\nhost: ${new URL(named).host}\r\n`);
    expect(secure.received).toContain('{"type":"track"}');
    const credentials = `Basic ${Buffer.from('waybill:pass word').toString('base64')}`;
    expect(new Set(asked.map(String))).toEqual(
      new Set([named, secure.url].map((url) => `${new URL(url).host},${credentials}`)),
    );
    // The pool may open a second one when it is asked before the first has been put back.
    expect(asked.length).toBeLessThanOrEqual(4);
  },
);

test('HOOK-11: a certificate is verified by the host of the webhook, whatever the egress proxy connects to', async () => {
  const { proxy } = await startProxy();
  await using receiver = await startTlsReceiver('none', AUTHORITY, NOW);
  const [result] = await post(proxy, [receiver.url.replace('localhost', 'another.example.test')]);
  expect(result).toMatchObject({
    failure: 'tls_other',
    detail: expect.stringMatching(/^ERR_TLS_CERT_ALTNAME_INVALID/),
  });
  expect(receiver.decrypted).toBe(0);
});

test('D-28: an address in a URL is judged by the router, and the egress proxy is not asked', async () => {
  const { proxy, asked } = await startProxy();
  const results = await post(proxy, ['http://10.0.0.1/hook', 'https://[::ffff:127.0.0.1]/hook']);
  expect(results.map(outcomeOf)).toEqual(['blocked_address', 'blocked_address']);
  expect(asked).toEqual([]);
});

test('what the egress proxy refuses, and a proxy that is gone, are temporary, and tell no address of it', async () => {
  const refusing = await startProxy((_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nno!!'),
  );
  const [refused] = await post(refusing.proxy, ['https://hooks.example.test/hook']);
  expect(refused).toMatchObject({
    failure: 'connect_refused',
    detail: 'WAYBILL_EGRESS_PROXY: the egress proxy answers 403 to CONNECT hooks.example.test:443',
  });
  const closing = await startProxy((_request, socket) => socket.destroy());
  const [closed] = await post(closing.proxy, ['http://hooks.example.test/hook']);
  expect(closed).toMatchObject({ detail: 'WAYBILL_EGRESS_PROXY: the egress proxy cannot be reached (ECONNRESET)' });
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const gone = egressProxy(`http://127.0.0.1:${portOf(server)}`);
  server.close();
  const [missed] = await post(gone, ['http://hooks.example.test/hook']);
  expect(missed).toMatchObject({ detail: 'WAYBILL_EGRESS_PROXY: the egress proxy cannot be reached (ECONNREFUSED)' });
  for (const result of [refused, closed, missed]) expect(result && classOf(outcomeOf(result))).toBe('temporary');
});

test('HOOK-8: a silent egress proxy ends as a timeout at the deadline', async () => {
  const { proxy } = await startProxy(() => undefined);
  const [result] = await post(proxy, ['http://hooks.example.test/hook'], 300);
  expect(result).toMatchObject({ kind: 'failed', failure: 'connect_timeout' });
});

test.each(['http', 'https'])(
  'SAFE-2: an %s webhook that answers before it is asked costs one tunnel',
  async (scheme) => {
    const { proxy, asked } = await startProxy((_request, socket) =>
      socket.write('HTTP/1.1 200 OK\r\n\r\n220 mail.example.test ESMTP\r\n'),
    );
    const [result] = await post(proxy, [`${scheme}://mail.example.test:25/`]);
    expect(result).toMatchObject({
      failure: 'protocol_error',
      detail: expect.stringMatching(/^mail\.example\.test:25 /),
    });
    expect(asked.length).toBe(1);
  },
);

test('the doctor connects through the egress proxy', async () => {
  const { proxy } = await startProxy(({ url = '' }, socket, head) => {
    if (!url.startsWith('gone')) return tunnel({ url }, socket, head);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await using receiver = await startTlsReceiver('none', AUTHORITY, NOW);
  await using plain = await startRawReceiver(() => undefined);
  const urls = [receiver.url, plain.url, 'https://gone.example.test/secret-path', 'http://10.0.0.1/'].map((url) =>
    url.replace('127.0.0.1', 'hooks.example.test'),
  );
  const hosts = urls.map((url) => ({ url: new URL(url), destination: D }));
  const guard = createAddressGuard([]);
  const findings = await checkTunnels(hosts, { guard, connect: connectThrough(proxy), now: NOW });
  expect(findings).toEqual([
    {
      check: 'TLS',
      status: 'failed',
      detail: expect.stringContaining(
        `gone.example.test (${D}) at the egress proxy: the egress proxy answers 502 to CONNECT gone.example.test:443; `,
      ),
    },
    { check: 'addresses', status: 'failed', detail: expect.stringMatching(/^10\.0\.0\.1 .*: 10\.0\.0\.1, /) },
    { check: 'destinations', status: 'ok', detail: 'hosts of webhooks that can be reached: 2' },
  ]);
  expect(receiver.decrypted).toBe(0);
});

test('the egress proxy is a setting whose credentials nobody is shown', () => {
  const { egressProxy: read, inForce } = readSettings(
    ['--egress-proxy', 'https://user:secret@proxy.example.test:3128'],
    {},
  );
  expect(read).toEqual({ url: new URL('https://proxy.example.test:3128'), authorization: 'Basic dXNlcjpzZWNyZXQ=' });
  expect(egressProxy('http://:token@[::1]:3128').authorization).toBe(`Basic ${btoa(':token')}`);
  const shown = inForce.find(({ flag }) => flag === 'egress-proxy');
  expect(shown).toMatchObject({ value: 'https://proxy.example.test:3128', isSecret: true });
  for (const wrong of ['proxy:3128', 'socks5://secret@proxy', 'http://secret@proxy/path']) {
    expect(() => readSettings(['--egress-proxy', wrong], {})).toThrow(
      /^--egress-proxy: must be http:\/\/<host>:<port>/,
    );
  }
});

test('a percent sign in the credentials of the egress proxy that stands for nothing is told of, and nothing of them', () => {
  const flags = ['--egress-proxy', 'http://user:100%secret@proxy:3128'];
  expect(() => readSettings(flags, {})).toThrow(
    /^--egress-proxy: has a "%" in its user or password .*: write it as %25$/,
  );
});
