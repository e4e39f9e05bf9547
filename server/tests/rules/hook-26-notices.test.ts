import { expect, test } from 'vitest';
import { noticeIn, parse } from '../../../client/webhooks/index.ts';
import type { Message } from '../../model/message.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { failed, recovered, told, worked } from '../../notices/health.ts';
import type { MemoryStorage } from '../../storage/memory/memory.ts';
import { trackingPlan } from '../support/config-resources.ts';
import { HEARS, HOUR, MINUTE, NOTICES, type NoticeWorld, SHOP, SOURCE } from '../support/notice-world.ts';
import { startedNoticeWorld } from '../support/started-notice-world.ts';

/** Down for the first part of each period. */
function flapping(periodMs: number, downMs: number) {
  return (at: number): number => (at % periodMs < downMs ? 500 : 200);
}

/** A storage that accepts none of these messages. */
function refusing(own: MemoryStorage, isRefused: (message: Message) => boolean): MemoryStorage {
  const accept: MemoryStorage['accept'] = (request) =>
    request.acceptances.some(({ message }) => isRefused(message))
      ? Promise.reject(new Error('the disk is full'))
      : own.accept(request);
  return { ...own, accept };
}

/** What replaced the secret of a destination nine hours ago ends in an hour. */
async function expireSoon({ clock, store }: NoticeWorld, name: string): Promise<void> {
  const timeIn = (hours: number): string => new Date(clock.now() + hours * HOUR).toISOString();
  const rotation = { previous_secret: 'before', start_time: timeIn(-9), end_time: timeIn(1) };
  await store.resources.update('destinations', name, (one) => ({ ...one, rotation }));
}

test('HOOK-26: a destination that is parked, and works again for a while, is told once each', async () => {
  const world = await startedNoticeWorld({ shop: (at) => (at < HOUR ? 500 : 200) });
  await world.pass(50 * MINUTE);
  expect(world.names).toEqual(['destination.parked']);
  await world.pass(4 * HOUR);
  expect(world.names).toEqual(['destination.parked', 'destination.recovered']);
  const [parked, well] = world.heard;
  expect(parked?.properties).toEqual({ destination: SHOP, displayName: 'Webhooks', since: expect.any(String) });
  expect(well?.properties).toMatchObject({ destination: SHOP, parkedSince: parked?.properties['since'] });
  expect(world.counted).toEqual(['destination.parked', 'destination.recovered']);
});

test.each([
  { minutes: 20, hours: 8 },
  { minutes: 60, hours: 30 },
  { minutes: 300, hours: 24 },
])(
  'HOOK-26: a destination that flaps every $minutes minutes is told of a few times in $hours hours',
  async ({ minutes, hours }) => {
    const period = minutes * MINUTE;
    const world = await startedNoticeWorld({ shop: flapping(period, period / 2) });
    await world.pass(hours * HOUR, 2 * MINUTE);
    const states = world.heard.filter(({ event }) => event.startsWith('destination.'));
    expect(states.length).toBeGreaterThan(0);
    expect(states.length).toBeLessThan(12);
    // They alternate: whoever hears them knows how it stands.
    for (const [index, { event }] of states.entries())
      expect(event).toBe(index % 2 === 0 ? 'destination.parked' : 'destination.recovered');
  },
);

test('HOOK-26: without a subscriber nothing is stored', async () => {
  const world = await startedNoticeWorld({ shop: () => 500 }, { hearsNotices: false });
  const version = (await world.shop())?.update_time;
  await world.pass(2 * HOUR);
  expect(await world.shop()).toMatchObject({ update_time: version });
  expect((await world.shop())?.health).toBeUndefined();
  expect(world.store.deliveries.every(({ destination }) => destination === SHOP)).toBe(true);
  // Who subscribes hears of what is parked already.
  await world.subscribe();
  await world.clock.advance(MINUTE);
  expect(world.names).toEqual(['destination.parked']);
});

test('HOOK-26: of the receiver of notices itself nothing is told', async () => {
  const world = await startedNoticeWorld({ shop: () => 500, hears: (at) => (at < 3 * HOUR ? 500 : 200) });
  await world.addDestination('workspaces/main/sources/notices', 'https://other.test/', 'webhooks-2');
  await world.pass(5 * HOUR);
  expect(world.heard.every(({ properties }) => properties['destination'] === SHOP)).toBe(true);
  expect(world.names).toContain('destination.parked');
});

test('HOOK-26: what was given up is told once an hour, with how many', async () => {
  const world = await startedNoticeWorld({ shop: () => 404 });
  await world.pass(3 * HOUR + 10 * MINUTE);
  const given = world.heard.filter(({ event }) => event === 'deliveries.given_up');
  expect(given).toHaveLength(3);
  expect(given[1]?.properties).toMatchObject({ destination: SHOP, failed: 60, expired: 0 });
  const hours = given.map(({ properties }) => Date.parse(String(properties['from'])));
  expect(hours.map((hour) => hour - (hours[0] ?? 0))).toEqual([0, HOUR, 2 * HOUR]);
  expect(new Set(world.names)).toEqual(new Set(['deliveries.given_up']));
});

test('HOOK-26: what was given up since its window ended is told of the hour in which it ended', async () => {
  const world = await startedNoticeWorld({ shop: () => 500 });
  await world.pass(6 * HOUR + 10 * MINUTE);
  const given = world.heard.filter(({ event }) => event === 'deliveries.given_up');
  expect(given.length).toBeGreaterThan(0);
  const expired = world.store.deliveries.filter(({ state }) => state === 'expired');
  const hours = given.map(({ properties }) => Number(properties['expired']));
  const lastHour = Math.max(...given.map(({ properties }) => Date.parse(String(properties['to']))));
  const ended = expired.filter(({ endedAt }) => endedAt < lastHour);
  expect(ended.length).toBeGreaterThan(0);
  expect(hours.reduce((sum, hour) => sum + hour, 0)).toBe(ended.length);
  expect(given.every(({ properties }) => properties['failed'] === 0)).toBe(true);
});

test('HOOK-26: over several routers, restarts and kills, each notice is said once', async () => {
  const world = await startedNoticeWorld({ shop: (at) => (at < HOUR || at > 3 * HOUR ? 500 : 200) });
  await world.begin();
  await world.begin();
  await world.pass(20 * MINUTE, MINUTE, [0, 1, 2]);
  expect(world.names).toEqual(['destination.parked']);
  world.kill(0);
  await world.pass(2 * HOUR, MINUTE, [1, 2]);
  world.kill(1);
  await world.begin();
  await world.pass(4 * HOUR, MINUTE, [2, 3]);
  const states = world.names.filter((name) => name.startsWith('destination.'));
  expect(states).toEqual(['destination.parked', 'destination.recovered', 'destination.parked']);
});

test('HOOK-26: a notice that cannot be accepted now is accepted later, and holds up no delivery', async () => {
  let isFull = true;
  const world = await startedNoticeWorld({
    shop: (at) => (at < HOUR ? 500 : 200),
    spoil: (own) => refusing(own, ({ source }) => isFull && source !== SOURCE),
  });
  await world.pass(3 * HOUR);
  expect(world.names).toEqual([]);
  const shop = world.transport.posts.filter(({ request }) => request.url === 'https://shop.test/');
  expect(shop.length).toBeGreaterThan(150);
  isFull = false;
  await world.pass(HOUR);
  expect(world.names).toEqual(['destination.parked', 'destination.recovered']);
});

test('HOOK-26: what was given up while no notice could be accepted is told later', async () => {
  let isFull = true;
  const world = await startedNoticeWorld({
    shop: () => 404,
    spoil: (own) => refusing(own, ({ source }) => isFull && source !== SOURCE),
  });
  await world.pass(3 * HOUR + 10 * MINUTE);
  expect(world.names).toEqual([]);
  isFull = false;
  await world.clock.advance(MINUTE);
  expect(world.names).toEqual(['deliveries.given_up', 'deliveries.given_up', 'deliveries.given_up']);
});

test('SAFE-2: a workspace whose notices cannot be accepted keeps none behind it from theirs', async () => {
  let isFull = true;
  const world = await startedNoticeWorld({
    shop: () => 200,
    spoil: (own) => refusing(own, ({ source }) => isFull && source === NOTICES),
  });
  const { clock, log } = world;
  await world.addShop('behind');
  const behind = SHOP.replace('main', 'behind');
  for (const name of [SHOP, behind]) await expireSoon(world, name);
  await clock.advance(10 * MINUTE);
  const heard = (): unknown[] => world.heard.map(({ properties }) => properties['destination']);
  expect(heard()).toEqual([behind]);
  expect(log.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { workspace: 'workspaces/main', reason: expect.stringContaining('the disk is full') } },
  ]);
  isFull = false;
  await clock.advance(MINUTE);
  expect(heard()).toEqual([behind, SHOP]);
});

test('HOOK-26: a storage that accepts no notices of any workspace is told once', async () => {
  const world = await startedNoticeWorld({
    shop: () => 200,
    spoil: (own) => refusing(own, ({ source }) => source.endsWith('/notices')),
  });
  for (const slug of ['one', 'two']) await world.addShop(slug);
  for (const slug of ['main', 'one', 'two']) await expireSoon(world, SHOP.replace('main', slug));
  await world.clock.advance(10 * MINUTE);
  expect(world.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('HOOK-26: a wall that is set says nothing twice', async () => {
  const world = await startedNoticeWorld({ shop: (at) => (at < HOUR ? 500 : 200) });
  await world.pass(30 * MINUTE);
  world.clock.stepWall(26 * HOUR);
  await world.pass(30 * MINUTE);
  world.clock.stepWall(-50 * HOUR);
  await world.pass(3 * HOUR);
  expect(world.names).toEqual(['destination.parked', 'destination.recovered']);
});

test('HOOK-26: who uses a secret that is replaced is told once before it ends', async () => {
  const world = await startedNoticeWorld({ shop: () => 200 });
  const { clock, store } = world;
  const start_time = new Date(clock.now()).toISOString();
  const end_time = new Date(clock.now() + 24 * HOUR).toISOString();
  const rotation = { previous_secret: 'before', start_time, end_time };
  await store.resources.update('destinations', SHOP, (one) => ({ ...one, rotation }));
  await clock.advance(20 * HOUR - MINUTE);
  expect(world.names).toEqual([]);
  await clock.advance(2 * MINUTE);
  world.kill(0);
  await world.begin();
  await clock.advance(5 * HOUR);
  expect(world.heard).toMatchObject([
    { event: 'secret.expiring', properties: { destination: SHOP, displayName: 'Webhooks', expires: end_time } },
  ]);
  expect(JSON.stringify(world.heard)).not.toContain('before');
});

test('HOOK-26: notices are of the contract, signed and logged as any event', async () => {
  const world = await startedNoticeWorld({ shop: (at) => (at < HOUR ? 500 : 404) });
  const secret = { name: `${NOTICES}/destinations/webhooks/config/sharedSecret`, display_name: '', value: 'hush' };
  await world.store.resources.update('destinations', `${NOTICES}/destinations/webhooks`, (one) => ({
    ...one,
    config: [...one.config, { ...secret, type: 'password' }],
  }));
  await world.pass(4 * HOUR);
  const posts = world.transport.posts.filter(({ request }) => request.url === HEARS);
  for (const { request } of posts) {
    expect(request.headers['X-Signature']).toMatch(/^[0-9a-f]{40}$/);
    const parsed = parse(request.body);
    expect(parsed.kind === 'event' && noticeIn(parsed.event)).toMatchObject({ type: 'track', properties: {} });
  }
  expect(new Set(world.names)).toEqual(new Set(['destination.parked', 'destination.recovered', 'deliveries.given_up']));
  const { deliveries } = await world.store.list({
    destination: `${NOTICES}/destinations/webhooks`,
    filter: { event: 'destination.parked' },
    limit: 9,
  });
  expect(deliveries).toMatchObject([{ state: 'delivered' }]);
});

test('HOOK-26: a source of notices takes no events from outside', async () => {
  const world = await startedNoticeWorld({ shop: () => 200 });
  const notices = await world.store.resources.get('sources', NOTICES);
  const [key = ''] = notices?.write_keys ?? [];
  const { directory } = world.routers[0] ?? {};
  expect(directory?.sourceByWriteKey(key)).toBeUndefined();
  expect(directory?.sourceByWriteKey('key-main-shop')?.name).toBe(SOURCE);
  // Its key is a key again once it is an ordinary source.
  await world.store.resources.update('sources', NOTICES, (one) => ({ ...one, catalog_name: '' }));
  expect(directory?.sourceByWriteKey(key)?.name).toBe(NOTICES);
});

test('HOOK-26: nothing is forwarded to a source of notices', async () => {
  const world = await startedNoticeWorld({ shop: () => 200 });
  const { resources: config } = world.store;
  const plan = trackingPlan('main', 'rs_plan');
  await config.create('tracking-plans', plan);
  const settings = { allow_unplanned_track_events: false, forwarding_blocked_events_to: 'notices' };
  const schema_config = { ...LET_THROUGH, ...settings };
  await config.update('sources', SOURCE, (one) => ({ ...one, tracking_plan: plan.name, schema_config }));
  await world.pass(MINUTE);
  expect(world.names).toEqual([]);
  await config.update('sources', NOTICES, (one) => ({ ...one, catalog_name: '' }));
  await world.pass(MINUTE);
  expect(world.names).toEqual(['Bought']);
});

test('HOOK-26: what turned is told before it turns again', () => {
  const [first, second, third] = ['2026-11-20T00:00:00.000Z', '2026-11-20T01:00:00.000Z', '2026-11-20T02:00:00.000Z'];
  const down = failed(undefined, first);
  expect(recovered(worked(down, second), worked(down, second))).toMatchObject({ state: 'failing' });
  const up = worked(told(down, down), second);
  const well = recovered(up, up);
  expect(well).toMatchObject({ state: 'well', since: second, failed_since: first, number: 2, is_untold: true });
  expect(failed(well, third)).toBe(well);
  const wellAndTold = well && told(well, well);
  expect(failed(wellAndTold, third)).toMatchObject({ state: 'failing', number: 3, relapses: 1, is_untold: true });
  // Another router has told of a later change.
  expect(told(failed(wellAndTold, third), down)).toMatchObject({ is_untold: true });
  expect(recovered(down, up)).toBe(down);
});
