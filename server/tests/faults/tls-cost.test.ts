import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { portOf } from '../../../scripts/hostile/ports.ts';
import { createIdentity } from '../../../testbed/tls/certificate.ts';
import { createAuthority, tlsOptionsOf } from '../../../testbed/tls/tls-fault.ts';
import { createAddressGuard } from '../../delivery/address-guard.ts';
import { gated } from '../../delivery/tls-gate.ts';
import { HandshakeTurns } from '../../delivery/handshake-turns.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import type { PostResult } from '../../ports/transport.ts';
import { startRawReceiver } from '../support/raw-receiver.ts';

const DEADLINE_MS = 1_000;
const now = Date.now();
const authority = createAuthority(now);
const system = getCACertificates('default');

beforeAll(() => setDefaultCACertificates([...system, authority.certificate]));
afterAll(() => setDefaultCACertificates(system));

async function postTo(url: string): Promise<PostResult> {
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.0/8', '::1/128']), DEADLINE_MS);
  const request = { workspace: 'workspaces/main', url, headers: {}, body: Buffer.from('{}'), deadlineMs: DEADLINE_MS };
  const result = await transport.post(request, new AbortController().signal);
  await transport.close();
  return result;
}

/** The cipher suites of TLS 1.2 with DHE. */
const DHE = '0016 0032 0033 0038 0039 0040 0067 006a 006b 009e 009f 00a2 00a3 c052 c053 c09e c09f c0a2 c0a3 ccaa'.split(
  ' ',
);
const ECDHE_RSA_AES128_GCM = 'c02f';

/** The cipher suites in the first message of a handshake: behind its head of 43 bytes, and an id of the session. */
function suitesIn(hello: Buffer): string[] {
  const start = 44 + hello.readUInt8(43);
  const bytes = hello.subarray(start + 2, start + 2 + hello.readUInt16BE(start)).toString('hex');
  return bytes.match(/.{4}/g) ?? [];
}

test('SAFE-2: no key exchange is offered whose size the receiver chooses', async () => {
  await using receiver = await startRawReceiver((socket) => socket.end());
  await postTo(receiver.url.replace('http:', 'https:'));
  const suites = suitesIn(Buffer.from(receiver.received, 'latin1'));
  expect(suites).toContain(ECDHE_RSA_AES128_GCM);
  expect(suites.filter((suite) => DHE.includes(suite))).toEqual([]);
});

/** What came of a renegotiation that the server asks for. */
function renegotiated(socket: TLSSocket): Promise<'refused' | 'made'> {
  const { promise, resolve } = Promise.withResolvers<'refused' | 'made'>();
  socket.once('close', () => resolve('refused'));
  socket.renegotiate({ rejectUnauthorized: false }, (error) => resolve(error === null ? 'made' : 'refused'));
  return promise;
}

test('SAFE-2: a receiver that asks for a renegotiation is refused one', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<'refused' | 'made'>();
  const server = createServer({ ...tlsOptionsOf('none', authority, now), maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => resolve(renegotiated(socket)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await postTo(`https://localhost:${portOf(server)}/`);
  expect(await asked).toBe('refused');
  server.close();
});

/** A receiver whose trusted certificate names so many hosts. */
async function named(hosts: number): Promise<PostResult> {
  const names = Array.from({ length: hosts }, (_, index) => `host-${index}.customer.test`);
  const day = 86_400_000;
  const identity = createIdentity({
    name: 'localhost',
    hosts: ['localhost', ...names],
    issuer: authority,
    validFrom: now - day,
    validTo: now + day,
  });
  const server = createServer({ cert: identity.certificate, key: identity.key }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const result = await postTo(`https://localhost:${portOf(server)}/`);
  server.close();
  return result;
}

test('SAFE-2: certificates of more than 16 KB are not computed with', async () => {
  expect(await named(400)).toMatchObject({ kind: 'answered', status: 200 });
  const detail = 'ERR_TLS_HANDSHAKE_TOO_LONG: the handshake is longer than 16 KB';
  expect(await named(1_000)).toMatchObject({ kind: 'failed', failure: 'tls_other', detail });
});

test('SAFE-2: what comes for one request ends at 320 KB, also where nothing of it is an answer', async () => {
  await using receiver = await startRawReceiver((socket) => socket.write(Buffer.alloc(1 << 20)));
  const port = new URL(receiver.url).port;
  const { promise: ended, resolve } = Promise.withResolvers<Error>();
  // In the place of TLS something that takes all, and makes no answer of it.
  const dial = gated('workspaces/main', new HandshakeTurns(), ({ httpSocket, ...target }, callback) => {
    if (httpSocket === undefined) {
      const socket = connect(Number(target.port), '127.0.0.1', () => callback(null, socket));
      return socket;
    }
    httpSocket.on('error', resolve).resume().write('GET / HTTP/1.1\r\n\r\n');
    const secured = Object.assign(new PassThrough(), { bytesWritten: 0 });
    return Reflect.apply(callback, undefined, [null, secured]);
  });
  dial({ hostname: 'localhost', protocol: 'https:', port }, (...[, socket]) => {
    expect(socket).not.toBeNull();
  });
  expect((await ended).message).toBe('the answer is longer than 320 KB with its encryption');
});
