import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { Analytics } from '../../../client/analytics/index.ts';
import { createConfigClient } from '../../../client/config/index.ts';
import { connect } from '../../../scripts/router/connect.ts';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { newFolder } from '../support/delivery-world.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';
import { portOf } from '../support/raw-receiver.ts';

const TOKEN = 'audience-kills-token-0123';
const MEMBERS = 1_200;

interface Told {
  readonly messageId: string;
  readonly user: string;
  readonly value: unknown;
}

/** A receiver that takes everything, and remembers what it was told of the audience. */
async function startReceiver(): Promise<{ readonly url: string; readonly told: Told[] }> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const value: unknown = body.traits?.big_spenders;
      if (value !== undefined) told.push({ messageId: body.messageId, user: body.userId, value });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${portOf(server)}/`, told };
}

async function startRouter(storage: string): Promise<RouterProcess> {
  const local = { port: '0', 'allow-networks': '127.0.0.0/8', 'rate-limit': '0' };
  const router = await startRouterProcess({ ...local, storage, token: TOKEN });
  onTestFinished(() => router.kill());
  return router;
}

/** Users who bought for 60 twice, and as many who bought once. */
async function buy(host: string, writeKey: string): Promise<void> {
  const analytics = new Analytics(writeKey, { host });
  for (let user = 0; user < MEMBERS; user += 1) {
    const once = { event: 'Order Completed', properties: { total: 60 } };
    for (const userId of [`big-${user}`, `big-${user}`, `small-${user}`]) analytics.track({ ...once, userId });
  }
  await analytics.close();
}

/** Once everybody was told and the sync is done: who was told under two message ids, or is no member. */
async function killInFirstSync(storage: string, times: number): Promise<string[]> {
  const receiver = await startReceiver();
  let router = await startRouter(storage);
  const writeKey = await connect({ url: router.url, token: TOKEN, slug: 'web', hook: receiver.url });
  const made = await createConfigClient({ baseUrl: router.url, token: TOKEN }).audiences.create('workspaces/main', {
    display_name: 'Big spenders',
    // It counts from now on, and runs only when all events are there.
    enabled: false,
    definition: {
      events: {
        where: "event = 'Order Completed'",
        sum: { of: 'properties.total', gte: 100 },
        window: { within: '30d' },
      },
    },
    destinations: ['workspaces/main/sources/web/destinations/webhooks'],
  });
  await buy(router.url, writeKey);
  const client = createConfigClient({ baseUrl: router.url, token: TOKEN });
  await client.audiences.update(made.name, { enabled: true });
  await client.audiences.sync(made.name);
  for (let kills = 1; kills <= times; kills += 1) {
    const enough = (MEMBERS * kills) / (times + 1);
    await expect.poll(() => receiver.told.length, { interval: 5 }).toBeGreaterThanOrEqual(enough);
    await router.kill();
    router = await startRouter(storage);
  }
  const ids = (): Map<string, Set<string>> => {
    const byUser = new Map<string, Set<string>>();
    for (const { user, messageId } of receiver.told) byUser.set(user, (byUser.get(user) ?? new Set()).add(messageId));
    return byUser;
  };
  await expect.poll(() => ids().size, { interval: 50 }).toBe(MEMBERS);
  const { audiences } = createConfigClient({ baseUrl: router.url, token: TOKEN });
  const done = async (): Promise<string> => (await Array.fromAsync(audiences.syncs(made.name))).at(-1)?.state ?? '';
  await expect.poll(done, { interval: 100 }).toBe('DONE');
  expect(receiver.told.every(({ value }) => value === true)).toBe(true);
  const members = await Array.fromAsync(audiences.members(made.name));
  expect(members).toHaveLength(MEMBERS);
  expect(await router.stop()).toBe(0);
  // Retention and all other work began with the process: a job that can never succeed says so once, and no other test hears it.
  expect(`${router.written.stdout}${router.written.stderr}`).not.toContain('job failed');
  return [...ids()].filter(([user, { size }]) => size > 1 || !user.startsWith('big-')).map(([user]) => user);
}

test('AUD-4, AUD-8: a router that is killed again and again in a first sync tells of each member under one message id', async () => {
  expect(await killInFirstSync(`file:${newFolder()}`, 3)).toEqual([]);
});

describeWithPostgres('on PostgreSQL', () => {
  test('AUD-4, AUD-8: a router that is killed in a first sync tells of each member under one message id', async () => {
    await using place = await emptyPlace();
    // Each kill costs the rest of a lease.
    expect(await killInFirstSync(place.url, 1)).toEqual([]);
  });
});
