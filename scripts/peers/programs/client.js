/**
 * `client.js`, in a project that has the packed client: configures the router at WAYBILL_URL, sends it an event, takes and
 * verifies what it delivers, and prints `works`. It is JavaScript, for versions of Node that strip no types.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { Analytics } from '@waybill/client/analytics';
import { diskStore } from '@waybill/client/analytics/node';
import { createConfigClient, isConfigApiError, webhooksConfig } from '@waybill/client/config';
import { nodeWebhook } from '@waybill/client/webhooks';

const { WAYBILL_URL: baseUrl = '', WAYBILL_TOKEN: token = '' } = process.env;
const SECRET = 's3cret';

const arrived = new EventEmitter();
const delivered = once(arrived, 'event');
const listen = nodeWebhook({ secret: SECRET, onEvent: (one) => void arrived.emit('event', one) });
const receiver = createServer((request, response) => void listen(request, response));
await once(receiver.listen(0, '127.0.0.1'), 'listening');

const client = createConfigClient({ baseUrl, token });
const source = await client.sources.create({
  name: 'workspaces/main/sources/shop',
  catalog_name: 'catalog/sources/javascript',
});
const destination = await client.destinations.create({
  name: `${source.name}/destinations/webhooks`,
  enabled: true,
  config: webhooksConfig({
    hooks: [{ hook: `http://127.0.0.1:${receiver.address().port}/hooks` }],
    sharedSecret: SECRET,
  }),
});
await assert.rejects(client.sources.get('workspaces/main/sources/none'), (error) =>
  isConfigApiError(error, 'NotFound'),
);

const store = diskStore({ folder: './queue' });
const analytics = new Analytics(source.write_keys[0], { host: baseUrl, store, gzip: true });
assert.ok(analytics.track('user-42', 'Order Completed', { name: 'Größe' }).ok);
assert.deepEqual(await analytics.close(), { timedOut: false, delivered: 1, unsent: [] });

const [{ type, event: name, properties }] = await delivered;
assert.deepEqual({ type, name, properties }, { type: 'track', name: 'Order Completed', properties: { name: 'Größe' } });
const names = [];
for await (const one of client.destinations.list(source.name)) names.push(one.name);
assert.deepEqual(names, [destination.name]);
await client.sources.delete(source.name);
console.log('works');
process.exit(0);
