import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { portOf } from '../../server/tests/support/raw-receiver.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRouterProcess } from '../../scripts/router/router-process.ts';
import { connectedTo, objectsIn } from './support/command-line.ts';

const TOKEN = 'command-line-events-0123456789';

test('a test event is sent, its delivery is listed, explained and replayed', async () => {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-events-'));
  opened.defer(() => rmSync(folder, { recursive: true }));
  const bodies: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString('utf8'))).on('end', () => response.end());
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  opened.defer(() => receiver.close().closeAllConnections());
  const port = portOf(receiver);
  const networks = { 'allow-networks': '127.0.0.0/8' };
  const router = opened.use(await startRouterProcess({ port: '0', 'data-dir': folder, token: TOKEN, ...networks }));
  const waybill = connectedTo(router.url, TOKEN);

  await waybill('sources', 'create', 'web');
  const config = `[{name: hooks, value: [{hook: "http://127.0.0.1:${port}/hook"}]}]`;
  await waybill('destinations', 'create', 'web/webhooks', '--enabled', 'true', '--config', config);
  const printed: string[] = [];
  const tailed = connectedTo(router.url, TOKEN, { printed })('events', 'tail', 'web', '--count', '1');
  await expect.poll(() => waybill('send', 'web', '--event', 'Seen').then(() => printed.length)).toBeGreaterThan(0);
  expect(printed[0]).toMatch(/^\S+Z {2}track {2}Seen {2}test-user {2}\S+ {2}→ web\/webhooks\n$/);
  expect((await tailed).status).toBe(0);
  const sent = await waybill('send', 'web', '--event', 'Order Completed', '--data', '{total: 42.5}');
  expect(sent).toMatchObject({ status: 0, stderr: '' });

  const filter = ['--state', 'delivered', '--event', 'Order Completed'];
  const list = () => waybill('deliveries', 'list', 'web/webhooks', ...filter, '--json');
  await expect.poll(async () => objectsIn((await list()).stdout)).toHaveLength(1);
  const [delivery] = objectsIn((await list()).stdout);
  expect(delivery).toMatchObject({ message_id: sent.stdout.trim(), event: 'Order Completed' });
  const name = `web/webhooks/${String(delivery?.['name']).split('/').at(-1)}`;
  expect((await waybill('deliveries', 'list', 'web/webhooks')).stdout).toContain(`${name}  `);
  const explained = await waybill('deliveries', 'explain', name);
  expect(explained.stdout).toMatch(/^It was delivered .*\n\n\d{4}-[^]*answered 200/);
  expect((await waybill('deliveries', 'replay', name)).status).toBe(0);
  const orders = () => bodies.map((body) => JSON.parse(body)).filter(({ event }) => event === 'Order Completed');
  await expect.poll(() => orders().length).toBe(2);
  expect(orders()[1]).toMatchObject({ properties: { total: 42.5 } });

  const heard: string[] = [];
  const toTheEnd = connectedTo(router.url, TOKEN, { printed: heard })('events', 'tail', 'web');
  await expect.poll(() => waybill('send', 'web').then(() => heard.length)).toBeGreaterThan(0);
  const refused = await waybill('send', 'web', '--write-key', 'none');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^waybill: the event was not accepted \(rejected\)/);
  await router.stop();
  expect(await toTheEnd).toMatchObject({ status: 1, stderr: 'waybill: the router has ended the stream\n' });
});
