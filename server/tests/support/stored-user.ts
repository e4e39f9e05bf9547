import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { type ConfigClient, createConfigClient, webhooksConfig } from '../../../client/config/index.ts';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { portOf } from './raw-receiver.ts';

const TOKEN = 'token-of-a-stored-user-0123456789';
const MAIN = 'workspaces/main';
const SOURCE = `${MAIN}/sources/web`;
/** One takes all, and one nothing. */
const [THERE, AWAY] = [`${SOURCE}/destinations/webhooks`, `${SOURCE}/destinations/webhooks-away`];
/** In both ids of the user, and in nothing else. */
export const MARK = 'zuleika';
const [OLD, ID] = [`old ${MARK}`, `${MARK} "the 2nd"`];
const BUYERS = { events: { where: "event = 'Bought'", count: { gte: 1 }, window: { within: '30d' } } };
const SPENT = { sum: { where: "event = 'Bought'", of: 'properties.total' } };
export const POLL = { interval: 50, timeout: 60_000 };

/** A router that has stored all that is ever stored of a user, and as much of another one. */
export interface StoredUser {
  /** Resolves once the user is deleted. */
  readonly remove: () => Promise<void>;
}

interface World {
  readonly config: ConfigClient;
  readonly send: (kind: string, call: object) => Promise<void>;
}

export async function storedUser(storage: string): Promise<StoredUser> {
  const world = await startWorld(storage);
  await fill(world);
  const { profiles, regulations } = world.config;
  return {
    remove: async () => {
      await profiles.delete(MAIN, ID);
      await expect
        .poll(() => Array.fromAsync(regulations.list(MAIN)), POLL)
        .toMatchObject([{ overall_status: 'FINISHED' }]);
    },
  };
}

async function startWorld(storage: string): Promise<World> {
  const hooks = await startWebhooks();
  const flags = { port: '0', storage, token: TOKEN, 'allow-networks': '127.0.0.0/8', 'audience-interval': '1s' };
  const router = await startRouterProcess({ ...flags, profiles: 'always' });
  onTestFinished(() => router[Symbol.asyncDispose]());
  const config = createConfigClient({ baseUrl: router.url, token: TOKEN });
  const { write_keys: keys } = await config.sources.create({ name: SOURCE });
  for (const [name, hook] of [
    [THERE, `${hooks}/there`],
    [AWAY, `${hooks}/away`],
  ] as const)
    await config.destinations.create({ name, enabled: true, config: webhooksConfig({ hooks: [{ hook }] }) });
  const send: World['send'] = async (kind, call) => {
    const body = JSON.stringify({ writeKey: keys[0], ...call });
    expect((await fetch(`${router.url}/v1/${kind}`, { method: 'POST', body })).status).toBe(200);
  };
  return { config, send };
}

async function startWebhooks(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/away' ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

async function fill({ config, send }: World): Promise<void> {
  const { name } = await config.audiences.create(MAIN, {
    display_name: 'Buyers',
    definition: BUYERS,
    destinations: [THERE, AWAY],
  });
  await config.computedTraits.create(MAIN, { display_name: 'Spent', definition: SPENT, destinations: [AWAY] });
  const users = [
    [OLD, ID, 'device 1'],
    ['old bert', 'bert', 'device 2'],
  ] as const;
  for (const [old, id, device] of users) {
    await send('identify', { userId: old, anonymousId: device, traits: { email: `${id}@example.test` } });
    await send('track', { anonymousId: device, event: 'Bought', properties: { total: 3 } });
    await send('alias', { previousId: old, userId: id });
    await send('track', { userId: id, event: 'Bought', properties: { total: 4 } });
    await send('group', { userId: id, groupId: 'g', traits: { owner: id } });
    // Dropped, and shown by its name.
    await send('track', { userId: id, event: `Seen by ${id}`, properties: 'none' });
  }
  const members = (): Promise<unknown> => Array.fromAsync(config.audiences.members(name));
  await expect.poll(members, POLL).toHaveLength(users.length);
  await config.replays.create(AWAY, { filter: { user_id: ID }, dry_run: true });
}
