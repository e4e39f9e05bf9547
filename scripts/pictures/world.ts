import { setTimeout as wait } from 'node:timers/promises';
import { type ConfigClient, createConfigClient, webhooksConfig } from '../../client/config/index.ts';
import { createReceiver } from '../../testbed/index.ts';
import { throughADay } from './day.ts';

/** What there is to be seen: sources that send, and destinations that take, fail and refuse. */
export interface World {
  readonly url: string;
  readonly token: string;
}

const MAIN = 'workspaces/main';
const SECRET = 'a-secret-that-only-pictures-show';
const PATIENCE_MS = 20_000;

const SOURCES = [
  ['shop', 'Web shop', 'javascript', '200'],
  ['app', 'Mobile app', 'android', '400+4% x*,503+8% x*,200'],
  ['billing', 'Billing service', 'node.js', '503'],
] as const;

const EVENTS = ['Order Completed', 'Product Viewed', 'Signed Up', 'Cart Viewed', 'Checkout Started'] as const;
const USERS = ['ada', 'grace', 'linus', 'margaret', 'barbara', 'edsger'] as const;

/** Real events through real deliveries; resolves once most of them have ended. */
export async function fill({ url, token }: World, opened: AsyncDisposableStack): Promise<void> {
  const client = createConfigClient({ baseUrl: url, token });
  await client.workspaces.update(MAIN, { display_name: 'Acme' }).catch(() => {});
  for (const [slug, title, kind, script] of SOURCES) {
    const receiver = await createReceiver({ secret: SECRET, script });
    opened.defer(() => receiver.close());
    const source = await client.sources.create({
      name: `${MAIN}/sources/${slug}`,
      display_name: title,
      catalog_name: `catalog/sources/${kind}`,
    });
    await client.destinations.create({
      name: `${source.name}/destinations/webhooks`,
      display_name: `${title} webhook`,
      enabled: true,
      config: webhooksConfig({
        hooks: [{ hook: `${receiver.url}/events`, headers: { 'X-Team': 'growth' } }],
        sharedSecret: SECRET,
      }),
    });
  }
  await throughADay(async (share) => {
    await sendTo({ url, token }, 'shop', Math.ceil(60 * share));
    await sendTo({ url, token }, 'app', Math.ceil(20 * share));
  });
  await sendTo({ url, token }, 'app', 12);
  await sendTo({ url, token }, 'billing', 6);
  await addTheRest(client, { url, token });
  await addAudiences(client, { url, token });
  const first = `${MAIN}/sources/shop/destinations/webhooks`;
  for (let waited = 0; waited < PATIENCE_MS; waited += 200) {
    if ((await client.metrics.summary(first)).successes >= 60) return;
    await wait(200);
  }
}

async function addTheRest(client: ConfigClient, { url, token }: World): Promise<void> {
  const destination = `${MAIN}/sources/shop/destinations/webhooks`;
  const drop = { title: 'No tests', if: 'event = "Test event"', actions: [{ type: 'drop_event' as const }] };
  await client.filters.create(destination, { ...drop, enabled: true });
  const total = {
    type: 'object',
    properties: { properties: { type: 'object', properties: { total: { type: 'string' } } } },
  };
  const rules = { events: [{ name: 'Order Completed', version: 1, rules: total }] };
  const plan = await client.trackingPlans.create(MAIN, { display_name: 'Shop events', rules });
  await client.sourceConnections.create(plan.name, `${MAIN}/sources/shop`);
  await sendTo({ url, token }, 'shop', 12);
  const { write_keys: keys } = await client.sources.get(`${MAIN}/sources/shop`);
  await post(url, keys[0] ?? '', [{ type: 'track', event: 'Nobody' }]);
  await client.sources.create({
    name: `${MAIN}/sources/notices`,
    display_name: 'Notices',
    catalog_name: 'catalog/sources/waybill-notices',
  });
  await client.accessTokens.create({ description: 'Support team', scopes: 'workspace:read' });
  const attributes = { name: 'userId' as const, values: ['edsger'] };
  await client.regulations.create(MAIN, { regulation_type: 'Suppress_With_Delete', attributes });
}

/** Big spenders, told to the shop's webhook, and what each user spent. */
async function addAudiences(client: ConfigClient, world: World): Promise<void> {
  const destinations = [`${MAIN}/sources/shop/destinations/webhooks`];
  const where = 'event = "Order Completed"';
  const spent = { where, sum: { of: 'properties.total', gte: 30 }, window: { within: '30d' } };
  const isPro = { trait: 'plan', is: { in: ['pro', 'team'] } };
  const definition = { any: [{ events: spent }, { all: [isPro, { events: { where, count: { gte: 2 } } }] }] };
  const audience = await client.audiences.create(MAIN, { display_name: 'Big spenders', definition, destinations });
  await client.audiences.create(MAIN, { display_name: 'Nobody yet', definition: { trait: 'plan', is: { eq: 'x' } } });
  const sum = { where, of: 'properties.total' };
  const trait = { display_name: 'Total spent', definition: { sum }, destinations };
  const total = await client.computedTraits.create(MAIN, trait);
  const { write_keys: keys } = await client.sources.get(`${MAIN}/sources/shop`);
  const traits = { plan: 'pro', company: 'Naval Reserve', employees: 12, newsletter: true };
  await post(world.url, keys[0] ?? '', [{ type: 'identify', userId: 'grace', anonymousId: 'device-7f3a', traits }]);
  await sendTo(world, 'shop', 30);
  for (let waited = 0; waited < PATIENCE_MS; waited += 500) {
    // The first ones may have begun before these events came.
    await Promise.all([client.audiences.sync(audience.name), client.computedTraits.sync(total.name)]);
    await wait(500);
    if (((await client.audiences.get(audience.name)).size ?? 0) > 0) return;
  }
}

/** Some more events of a source that is there. */
export async function sendTo({ url, token }: World, source: string, count: number): Promise<void> {
  const { write_keys: keys } = await createConfigClient({ baseUrl: url, token }).sources.get(
    `${MAIN}/sources/${source}`,
  );
  await send(url, keys[0] ?? '', count);
}

async function send(url: string, key: string, count: number): Promise<void> {
  const calls = Array.from({ length: count }, (_, index) => ({
    type: 'track',
    userId: USERS[index % USERS.length],
    event: EVENTS[index % EVENTS.length],
    properties: { order_id: `o-${1_000 + index}`, total: 19.9 + index, currency: 'EUR' },
  }));
  await post(url, key, calls);
}

async function post(url: string, key: string, batch: readonly object[]): Promise<void> {
  const headers = { authorization: `Basic ${btoa(`${key}:`)}` };
  const response = await fetch(`${url}/v1/batch`, { method: 'POST', headers, body: JSON.stringify({ batch }) });
  if (!response.ok) throw new Error(`events were refused: ${response.status} ${await response.text()}`);
}
