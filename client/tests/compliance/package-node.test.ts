import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigStub, TOKEN } from '../support/config-stub.ts';
import { machineNode, newConsumer } from '../support/package-consumer.ts';
import { receivingServer } from '../support/analytics-receiving-server.ts';
import { ROOT } from '../support/packed-once.ts';

const consumer = newConsumer();
afterAll(() => consumer[Symbol.dispose]());

/** The project's own, the oldest that the testbed takes, and the oldest that a router takes; `scripts/peers/matrix.ts` has Node 20. */
const NODES = [
  ['of this project', process.versions.node, process.execPath],
  ['24', '24', join(ROOT, 'scripts/peers/node-24/node_modules/node/bin/node')],
  ['22', '22', join(ROOT, 'scripts/peers/oldest/node_modules/node/bin/node')],
  ['that the machine has', '', machineNode()],
] as const;

/** All parts in one program, as a service would use them. */
const PROGRAM = `
import { createServer } from 'node:http';
import { once } from 'node:events';
import { Analytics } from '@waybill/client/analytics';
import { closeOnSignal, diskStore } from '@waybill/client/analytics/node';
import { createConfigClient } from '@waybill/client/config';
import { nodeWebhook, sign } from '@waybill/client/webhooks';
import * as all from '@waybill/client';

const { INGESTION, CONFIG, TOKEN } = process.env;
const analytics = new Analytics('key', { host: INGESTION, gzip: true, store: diskStore({ folder: './queue' }) });
const leave = closeOnSignal(analytics);
for (let count = 0; count < 250; count += 1) analytics.track('user-42', 'Größe', { count });
console.log('closed', JSON.stringify(await analytics.close()));
leave();

console.log('node', process.versions.node);
const client = createConfigClient({ baseUrl: CONFIG, token: TOKEN });
await client.workspaces.create({ name: 'workspaces/main' });
for await (const { name } of client.workspaces.list()) console.log('listed', name);

const server = createServer(nodeWebhook({ secret: 's3cret', onEvent: (event) => console.log('event', event.type) }));
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = 'http://127.0.0.1:' + server.address().port;
const body = JSON.stringify({
  version: 1, type: 'track', event: 'Signed Up', userId: 'user-42', messageId: 'm1', properties: {}, context: {},
  timestamp: '2026-11-20T12:00:00.000Z', receivedAt: '2026-11-20T12:00:00.000Z',
});
for (const signature of [await sign('s3cret', body), await sign('another', body)]) {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'x-signature': signature } });
  console.log('answered', answer.status);
}
server.closeAllConnections();
server.close();
console.log('exports', Object.keys(all).length);
`;

test.each(NODES)('the tarball runs on Node %s', async (_which, version, node) => {
  await using ingestion = await receivingServer();
  await using config = await ConfigStub.start();
  consumer.write({ 'program.js': PROGRAM });
  const env = { INGESTION: ingestion.url, CONFIG: config.url, TOKEN };
  const { code, output } = await consumer.run(node, ['program.js'], { env });
  expect(output.trim().split('\n')).toEqual([
    'closed {"timedOut":false,"delivered":250,"unsent":[]}',
    expect.stringMatching(new RegExp(`^node ${version}`)),
    'listed workspaces/main',
    'event track',
    'answered 200',
    'answered 401',
    expect.stringMatching(/^exports \d{2}$/),
  ]);
  expect(code).toBe(0);
  expect(ingestion.accepted.map((message) => message['properties'])).toEqual(
    Array.from({ length: 250 }, (_, count) => ({ count })),
  );
});

test('that Node is 20 or newer, as the manifest demands', async () => {
  const { output } = await consumer.run(machineNode(), ['-p', 'process.versions.node']);
  expect(Number.parseInt(output, 10)).toBeGreaterThanOrEqual(20);
});

test('it loads with require where Node takes ESM so, and says what it is where it does not', async () => {
  const program = "console.log(typeof require('@waybill/client/analytics').Analytics)";
  const { output } = await consumer.run(machineNode(), ['--input-type=commonjs', '-e', program]);
  expect(output).toMatch(/^function\n|ERR_REQUIRE_ESM/);
});

test('what the manifest does not name cannot be imported', async () => {
  const program = "import '@waybill/client/client/analytics/queue.js'";
  const { code, output } = await consumer.run(machineNode(), ['--input-type=module', '-e', program]);
  expect(code).toBe(1);
  expect(output).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
});
