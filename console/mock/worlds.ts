import type { PostResult, Transport } from '../../server/ports/transport.ts';
import { VirtualClock } from '../../testbed/simulation/virtual-clock.ts';
import { Resources } from '../../testbed/stand-in/resources.ts';
import { StandIn } from '../../testbed/stand-in/stand-in.ts';
import type { WorldName } from './world-names.ts';

export const TOKEN = 'token-of-the-mock';
const MAIN = 'workspaces/main';
const SHOP = `${MAIN}/sources/shop`;
const WEBHOOKS = `${SHOP}/destinations/webhooks`;
const MINUTE = 60_000;
/** Of history. */
const MINUTES = 180;

const EVENTS = ['Product Viewed', 'Order Completed', 'Signed Up'];

/** A stand-in with a past, whose clock goes on with that of the page. */
export async function openWorld(name: WorldName): Promise<StandIn> {
  const clock = new VirtualClock(Date.now() - MINUTES * MINUTE);
  const transport = transportOf(name, clock);
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
  await resources.add(`${MAIN}/sources`, { name: SHOP, display_name: 'Shop' });
  const hooks = [{ name: 'hooks', value: [{ hook: 'https://hooks.customer.example/waybill' }] }];
  const secret = { name: 'sharedSecret', value: 'a-secret-of-the-mock' };
  await resources.add(`${SHOP}/destinations`, { name: WEBHOOKS, enabled: true, config: [...hooks, secret] });
  await resources.add(`${MAIN}/tracking-plans`, { display_name: 'Shop', rules: { events: [] } });
  const definition = { events: { where: 'event = "Order Completed"', count: { gte: 2 } } };
  await resources.add(`${MAIN}/audiences`, { display_name: 'Loyal buyers', definition, destinations: [WEBHOOKS] });
  for (const user of ['ada', 'grace', 'edsger']) standIn.addUser(MAIN, user, { traits: { plan: 'pro' } });
  const each = name === 'backlog' ? 12 : 2;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    await standIn.send(
      SHOP,
      Array.from({ length: each }, (_, index) => callAt(clock.now() + index)),
    );
    await clock.advance(MINUTE);
  }
}

function callAt(now: number): object {
  const number = Math.floor(now / 1_000);
  const user = ['ada', 'grace', 'edsger', 'barbara'][number % 4];
  const event = EVENTS[number % EVENTS.length];
  return { type: 'track', messageId: `m-${now}`, userId: user, event, properties: { total: (number % 90) + 10 } };
}

/** What the customer's endpoint does. */
function transportOf(name: WorldName, clock: VirtualClock): Transport {
  let posts = 0;
  const post = async (): Promise<PostResult> => {
    posts += 1;
    await clock.sleep(40 + (posts % 7) * 15);
    return resultOf(name, posts);
  };
  return { post, close: () => Promise.resolve() };
}

function resultOf(name: WorldName, posts: number): PostResult {
  switch (name) {
    case 'failing':
      return posts % 3 === 0 ? answered(400, 'unknown event') : answered(posts % 3 === 1 ? 503 : 200, '');
    case 'open-circuit':
      return posts < 60
        ? answered(200, '')
        : { kind: 'failed', failure: 'connect_refused', detail: 'connection refused' };
    case 'backlog':
      return posts < 200 ? answered(200, '') : answered(429, 'slow down');
    case 'healthy':
    case 'empty':
      return answered(200, 'ok');
  }
}

function answered(status: number, excerpt: string): PostResult {
  return { kind: 'answered', status, excerpt };
}
