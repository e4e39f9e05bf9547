import { networkInterfaces } from 'node:os';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { FORBIDDEN_FORMS, type ForbiddenForm } from '../../cli/doctor/addresses/forbidden-forms.ts';
import { PUBLIC_ADDRESSES } from '../../cli/doctor/addresses/named-forms.ts';
import { postTo, scriptedResolver, verdictOf } from '../../cli/doctor/addresses/verdict.ts';
import { type AddressGuard, createAddressGuard } from '../../delivery/address-guard.ts';
import { createUndiciTransport } from '../../delivery/undici-transport.ts';
import type { PostResult } from '../../ports/transport.ts';
import { portOf } from '../support/raw-receiver.ts';

const STRICT = createAddressGuard([]);
const CARELESS: AddressGuard = () => ({ allowed: true, by: 'public' });
const BLIND = createAddressGuard(['0.0.0.0/0', '::/0']);

const listeners: Server[] = [];
afterEach(() => Promise.all(listeners.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))));

test('D-28: at least 120 forms are listed, none twice', () => {
  expect(FORBIDDEN_FORMS.length).toBeGreaterThanOrEqual(120);
  expect(new Set(FORBIDDEN_FORMS.map(({ url }) => url)).size).toBe(FORBIDDEN_FORMS.length);
});

test.each([...Map.groupBy(FORBIDDEN_FORMS, ({ group }) => group)])(
  'D-28: nothing is dialled for %s',
  async (_group, forms) => {
    const verdicts = await Promise.all(forms.map((form) => verdictOf(form, STRICT)));
    expect(verdicts.filter(({ verdict }) => verdict !== 'refused')).toEqual([]);
  },
);

test('a guard that allows everything is seen to dial', async () => {
  const verdicts = await Promise.all(FORBIDDEN_FORMS.map((form) => verdictOf(form, BLIND)));
  const refused = verdicts.filter(({ verdict }) => verdict === 'refused').map(({ form }) => form);
  // What is left has no host that could be dialled: other schemes, and what is no URL.
  expect(refused.every(({ url }) => !isHttp(url))).toBe(true);
  expect(verdicts.length - refused.length).toBeGreaterThanOrEqual(120);
});

test('a guard that knows no forbidden address is found out', async () => {
  const verdicts = await Promise.all(FORBIDDEN_FORMS.map((form) => verdictOf(form, CARELESS)));
  expect(verdicts.filter(({ verdict }) => verdict === 'escaped').length).toBeGreaterThanOrEqual(120);
});

test('D-28: every form of loopback is refused in front of a real listener', async () => {
  const { port, connections } = await listenEverywhere();
  const forms = FORBIDDEN_FORMS.filter(leadsHome).map((form) => ({ ...form, url: withPort(form.url, port) }));
  expect(forms.length).toBeGreaterThanOrEqual(30);
  for (const form of forms) expect((await postTo(form, STRICT)).at(-1), form.url).toMatchObject(BLOCKED);
  expect(connections()).toBe(0);
});

test('the same forms reach that listener when the settings allow them', async () => {
  const { port, connections } = await listenEverywhere();
  const forms = FORBIDDEN_FORMS.filter(leadsHome)
    .map((form) => ({ ...form, url: withPort(form.url, port) }))
    // The kernel keeps it for itself: it is the broadcast address of the loopback network.
    .filter(({ url }) => !url.includes('127.255.255.255'));
  const open = createAddressGuard(['127.0.0.0/8', '::1/128']);
  for (const form of forms) expect((await postTo(form, open)).at(-1), form.url).toMatchObject({ status: 200 });
  expect(connections()).toBeGreaterThanOrEqual(forms.length);
});

test('D-28: a name that rebinds is connected to where it was checked', async () => {
  const { port, connectionsTo } = await listenEverywhere();
  const transport = createUndiciTransport(createAddressGuard(['127.0.0.2/32']), 5_000, {
    resolver: scriptedResolver([['127.0.0.2'], ['127.0.0.1']]),
  });
  const post = (): Promise<PostResult> =>
    transport.post(
      {
        workspace: 'workspaces/main',
        url: `http://rebinds.example.com:${port}/hook`,
        headers: {},
        body: Buffer.from('{}'),
        deadlineMs: 5_000,
      },
      new AbortController().signal,
    );
  expect(await post()).toMatchObject({ status: 200 });
  expect(await post()).toMatchObject({ failure: 'blocked_address' });
  await transport.close();
  expect(connectionsTo('127.0.0.2')).toBe(1);
  expect(connectionsTo('127.0.0.1')).toBe(0);
});

const BLOCKED = { kind: 'failed', failure: 'blocked_address' };

/** A listener on every address of this machine, so that whatever leads home is seen. It closes after each answer. */
async function listenEverywhere(): Promise<{
  port: number;
  connections: () => number;
  connectionsTo: (address: string) => number;
}> {
  const seen: string[] = [];
  const server = createServer((socket) => {
    seen.push((socket.localAddress ?? '').replace('::ffff:', ''));
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'));
  });
  listeners.push(server);
  await new Promise<void>((resolve) => server.listen(0, hasIPv6() ? '::' : '0.0.0.0', resolve));
  const connectionsTo = (address: string): number => seen.filter((one) => one === address).length;
  return { port: portOf(server), connections: () => seen.length, connectionsTo };
}

/** Whether a form is plain loopback over http, which this machine can really be asked for. */
function leadsHome({ url, answers }: ForbiddenForm): boolean {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:' || parsed.port !== '') return false;
  const addresses = answers.length > 0 ? (answers.at(-1) ?? []) : [parsed.hostname];
  if (answers.some((answer) => answer.some((address) => PUBLIC_ADDRESSES.some((known) => known === address)))) {
    return false;
  }
  return addresses.every(
    (one) => /^127\.|^\[?::ffff:7f|^::ffff:127\./.test(one) || (hasIPv6() && /^\[?::1\]?$/.test(one)),
  );
}

function withPort(url: string, port: number): string {
  const parsed = new URL(url);
  parsed.port = String(port);
  return parsed.href;
}

function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
}

function isHttp(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}
