import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runRouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createIdentity, type Identity } from '../../../testbed/tls/certificate.ts';

const TOKEN = 'tls-test-token-0123456789';
const [validFrom, validTo] = [Date.parse('2020-01-01T00:00:00Z'), Date.parse('2040-01-01T00:00:00Z')];

let folder: string;
let authority: Identity;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-tls-'));
  authority = createIdentity({ name: 'Private CA', authority: true, validFrom, validTo });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a new certificate in place, whole at once, as programs that renew them do. */
function renew(name: string): void {
  const { certificate, key } = createIdentity({ name, hosts: ['127.0.0.1'], issuer: authority, validFrom, validTo });
  for (const [file, text] of Object.entries({ 'cert.pem': certificate, 'key.pem': key })) {
    writeFileSync(join(folder, `${file}.new`), text);
    renameSync(join(folder, `${file}.new`), join(folder, file));
  }
}

function flags() {
  const tls = { 'tls-cert': join(folder, 'cert.pem'), 'tls-key': join(folder, 'key.pem') };
  return { port: '0', 'data-dir': join(folder, 'data'), token: TOKEN, ...tls };
}

/** Whose certificate a new connection is shown. */
async function shownBy(url: string): Promise<unknown> {
  const { port } = new URL(url);
  const socket = connect({ host: '127.0.0.1', port: Number(port), ca: authority.certificate });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
}

test('with a certificate the router serves https, and a new one is used without a restart', async () => {
  renew('first');
  await using router = await startRouterProcess(flags());
  expect(router.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const dispatcher = new Agent({ connect: { ca: authority.certificate } });
  onTestFinished(() => dispatcher.destroy());
  const ask = async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { statusCode, body } = await request(`${router.url}/v1beta/workspaces`, { dispatcher, headers });
    await body.dump();
    return statusCode;
  };
  expect(await ask()).toBe(200);
  expect(await shownBy(router.url)).toBe('first');

  renew('second');
  process.kill(router.pid, 'SIGHUP');
  await expect.poll(() => shownBy(router.url)).toBe('second');
  // The connection of before is not cut.
  expect(await ask()).toBe(200);

  renew('third');
  await expect.poll(() => shownBy(router.url)).toBe('third');

  writeFileSync(join(folder, 'cert.pem'), 'no certificate');
  process.kill(router.pid, 'SIGHUP');
  await expect.poll(() => router.written.stdout).toContain('certificate not reloaded: the one before stays in use');
  expect(await shownBy(router.url)).toBe('third');
  expect(await router.stop()).toBe(0);
});

test('SAFE-1: a connection that does not finish its handshake is closed in time, and does not keep the router from stopping', async () => {
  renew('first');
  const limits = { 'max-connections': '4', 'headers-timeout': '1s' };
  await using router = await startRouterProcess({ ...flags(), ...limits });
  const fill = async () => {
    const sockets = ['', '1603010200010001fc0303', '', '16030102'].map((begun) => begin(router.url, begun));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  };
  const sockets = await fill();
  await Promise.all(sockets.map((socket) => once(socket, 'close')));
  expect(await shownBy(router.url)).toBe('first');

  await fill();
  // 1 would say that it took the ten seconds after which a router gives up.
  expect(await router.stop()).toBe(0);
});

/** A connection whose sender says no more than this. */
function begin(url: string, hex: string): Socket {
  const socket = connectPlain(Number(new URL(url).port), '127.0.0.1').resume();
  socket.on('error', () => undefined).write(Buffer.from(hex, 'hex'));
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('a certificate that cannot be used ends the start, with the names of the files', async () => {
  renew('first');
  const { key } = createIdentity({ name: 'other', validFrom, validTo });
  writeFileSync(join(folder, 'key.pem'), key);
  const { code, stderr } = await runRouterProcess(flags());
  expect(code).toBe(1);
  expect(stderr).toMatch(/--tls-cert \S+cert\.pem with --tls-key \S+key\.pem cannot serve https: .*mismatch/);
  expect(stderr).not.toContain('PRIVATE KEY');
});

test('a certificate without its key is an invalid setting', async () => {
  const { 'tls-key': _key, ...rest } = flags();
  const { code, stderr } = await runRouterProcess(rest);
  expect(code).toBe(2);
  expect(stderr).toContain('--tls-cert (WAYBILL_TLS_CERT) and --tls-key (WAYBILL_TLS_KEY) need each other: give both');
});
