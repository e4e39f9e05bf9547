import { VirtualClock } from '../../testbed/simulation/virtual-clock.ts';
import { Resources } from '../../testbed/stand-in/resources.ts';
import { StandIn } from '../../testbed/stand-in/stand-in.ts';
import { networkOf } from './endpoints.ts';
import type { WorldName } from './world-names.ts';

export const TOKEN = 'token-of-the-mock';
const MAIN = 'workspaces/main';
const SHOP = `${MAIN}/sources/shop`;
const WEBHOOKS = `${SHOP}/destinations/webhooks`;
const MINUTE = 60_000;
/** Of history. */
const MINUTES = 180;

const EVENTS = ['Product Viewed', 'Order Completed', 'Signed Up', 'Cart Viewed', 'Checkout Started'];
const USERS = ['ada', 'grace', 'edsger', 'barbara', 'margaret', 'linus', 'katherine'];
/** What a person who means no good would call something. */
const HOSTILE = '<img src=x onerror=alert(1)> "O’Brien" & ‮sons {{7*7}}';

const SOURCES = [
  { slug: 'shop', title: 'Web shop', catalog: 'javascript', enabled: true },
  { slug: 'app', title: 'Mobile app', catalog: 'android', enabled: true },
  { slug: 'billing', title: 'Billing service', catalog: 'node.js', enabled: true },
  { slug: 'hostile', title: HOSTILE, catalog: 'javascript', enabled: true },
  { slug: 'archive', title: 'Archive of the old shop, which nobody may delete', catalog: 'node.js', enabled: false },
] as const;

/** A stand-in with a past, whose clock goes on with that of the page. */
export async function openWorld(name: WorldName): Promise<StandIn> {
  const clock = new VirtualClock(Date.now() - MINUTES * MINUTE);
  const transport = networkOf(name, clock);
  const standIn = await StandIn.open({ token: TOKEN, workspace: 'main', seed: 1, clock, transport });
  if (name !== 'empty') await fill(standIn, clock, name);
  await clock.advance(Math.max(0, Date.now() - clock.now()));
  standIn.start();
  setInterval(() => void clock.advance(Math.max(0, Date.now() - clock.now())), 250);
  if (name !== 'empty') setInterval(() => void standIn.send(SHOP, [callAt(clock.now())]), 4_000);
  return standIn;
}

async function fill(standIn: StandIn, clock: VirtualClock, name: WorldName): Promise<void> {
  const resources = new Resources(async (request) => (await standIn.answer(request)).response, TOKEN);
  for (const source of SOURCES) await addSource(resources, source);
  const drop = [{ type: 'drop_event' }];
  await resources.add(`${WEBHOOKS}/filters`, { title: 'No tests', if: 'event = "Test"', actions: drop, enabled: true });
  await resources.add(`${MAIN}/tracking-plans`, { display_name: 'Shop', rules: { events: [] } });
  await resources.add(`${MAIN}/tracking-plans`, { display_name: HOSTILE, rules: { events: [] } });
  await addAudiences(resources);
  await resources.add('access-tokens', { description: 'Support team', scopes: 'workspace:read' });
  for (const user of USERS) standIn.addUser(MAIN, user, { traits: { plan: user.length > 4 ? 'pro' : 'free' } });
  standIn.addUser(MAIN, HOSTILE, { traits: { plan: '<b>pro</b>' } });
  await live(standIn, clock, name === 'backlog' ? 12 : 2);
}

async function addSource(resources: Resources, { slug, title, catalog, enabled }: (typeof SOURCES)[number]) {
  const source = `${MAIN}/sources/${slug}`;
  await resources.add(`${MAIN}/sources`, {
    name: source,
    display_name: title,
    catalog_name: `catalog/sources/${catalog}`,
  });
  const hooks = [{ name: 'hooks', value: [{ hook: `https://${slug}.customer.example/waybill` }] }];
  const config = [...hooks, { name: 'sharedSecret', value: 'a-secret-of-the-mock' }];
  const display_name = slug === 'hostile' ? HOSTILE : `${title} webhook`;
  await resources.add(`${source}/destinations`, {
    name: `${source}/destinations/webhooks`,
    display_name,
    enabled,
    config,
  });
}

async function addAudiences(resources: Resources): Promise<void> {
  const where = 'event = "Order Completed"';
  const bought = { events: { where, count: { gte: 2 } } };
  const audiences = { 'Loyal buyers': bought, [HOSTILE]: { trait: 'plan', is: { exists: true } } };
  for (const [display_name, definition] of Object.entries(audiences))
    await resources.add(`${MAIN}/audiences`, { display_name, definition, destinations: [WEBHOOKS] });
  const sum = { display_name: 'Total spent', definition: { sum: { where, of: 'properties.total' } } };
  await resources.add(`${MAIN}/computed-traits`, { ...sum, destinations: [WEBHOOKS] });
}

/** Three hours, busier in the middle than at their ends. */
async function live(standIn: StandIn, clock: VirtualClock, each: number): Promise<void> {
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const wave = 1 + Math.sin((Math.PI * minute) / MINUTES) + (minute % 17 === 0 ? 2 : 0);
    for (const [index, { slug }] of SOURCES.entries()) {
      const count = Math.round((each * wave) / (index + 1));
      const calls = Array.from({ length: count }, (_, number) => callAt(clock.now() + 100 * index + number));
      await standIn.send(`${MAIN}/sources/${slug}`, slug === 'hostile' ? calls.map(hostile) : calls);
    }
    await clock.advance(MINUTE);
  }
}

interface Call {
  readonly type: 'track';
  readonly messageId: string;
  readonly userId: string;
  readonly event: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

function callAt(now: number): Call {
  const number = Math.floor(now / 1_000) + (now % 1_000);
  const userId = USERS[number % USERS.length] ?? '';
  const event = EVENTS[number % EVENTS.length] ?? '';
  return { type: 'track', messageId: `m-${now}`, userId, event, properties: { total: (number % 90) + 10 } };
}

function hostile(call: Call): Call {
  return { ...call, userId: HOSTILE, event: HOSTILE, properties: { [HOSTILE]: HOSTILE } };
}
