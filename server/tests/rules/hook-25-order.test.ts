import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../scripts/router/connect.ts';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createReceiver, type Receiver } from '../../../testbed/index.ts';
import { auditOrder } from '../../../testbed/audit/order-audit.ts';
import { textOf } from '../../../testbed/receiver/received.ts';
import { answers, type SimulatedAnswer, type SimulatedPost } from '../../../testbed/simulation/simulated-transport.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { lineOf } from '../../model/line.ts';
import { checkFact } from '../conformance/delivery-store.ts';
import { LINE_FACTS } from '../conformance/line-facts.ts';
import { filePlace } from '../conformance/places.ts';
import { refusalOf } from '../support/config-api.ts';
import { hooks, newFolder, startDeliveryWorld } from '../support/delivery-world.ts';
import { type Engine, startEngine, targetOf } from '../support/engine.ts';

const SECOND = 1_000;

function idOf({ request }: SimulatedPost): string {
  const { messageId }: { messageId: string } = JSON.parse(Buffer.from(request.body).toString('utf8'));
  return messageId;
}

async function engineOf(respond: (id: string, at: number) => number): Promise<Engine> {
  const target = { ...targetOf('https://one.test/'), inOrder: true } as const;
  return startEngine((post) => ({ ...answers(respond(idOf(post), post.at)), afterMs: 20 }), { target });
}

test('HOOK-25: a user is a userId, else an anonymousId', () => {
  const [byUser, byAnonymous] = [lineOf({ userId: 'a', anonymousId: 'b' }), lineOf({ anonymousId: 'b' })];
  expect(lineOf({ userId: 'a' })).toBe(byUser);
  expect(lineOf({ userId: 'b' })).not.toBe(byAnonymous);
  expect(lineOf({ anonymousId: 'c' })).not.toBe(byAnonymous);
  expect([byUser, byAnonymous].every((line) => Number.isSafeInteger(line))).toBe(true);
  expect(lineOf({})).toBeUndefined();
});

test('HOOK-25: an event waits until those before it are delivered, failed or expired', async () => {
  const answer = { fails: 500, rejected: 404 } as const;
  const { clock, transport, store, send } = await engineOf((id) => (id in answer ? Reflect.get(answer, id) : 200));
  for (const messageId of ['first', 'rejected', 'fails', 'last']) await send({ messageId, userId: 'u1' });
  await clock.advance(DEFAULT_POLICY.windowMs - 10 * SECOND);
  expect([...new Set(transport.posts.map(idOf))]).toEqual(['first', 'rejected', 'fails']);
  await clock.advance(60 * SECOND);
  expect(transport.posts.map(idOf).at(-1)).toBe('last');
  expect(store.deliveries.map(({ state }) => state)).toEqual(['delivered', 'failed', 'expired', 'delivered']);
  // Waiting is no try: it was tried once.
  expect(store.deliveries.at(-1)?.attempts).toHaveLength(1);
});

function slowOrFast({ request }: SimulatedPost): SimulatedAnswer {
  return { ...answers(200), afterMs: request.url.includes('slow') ? 3_000 : 10 };
}

test('HOOK-25: no webhook gets an event while another is still working on the one before', async () => {
  const urls = ['https://fast.test/', 'https://slow.test/'];
  const target = { ...targetOf(...urls), inOrder: true } as const;
  const { clock, transport, send } = await startEngine(slowOrFast, { target });
  for (const messageId of ['m1', 'm2']) await send({ messageId, userId: 'u1' });
  await clock.advance(2_900);
  expect(new Set(transport.posts.map(idOf))).toEqual(new Set(['m1']));
  await clock.advance(200);
  expect(new Set(transport.posts.map(idOf))).toEqual(new Set(['m1', 'm2']));
});

test('HOOK-25: what a stopped router did not begin is put back, and comes in order after the next start', async () => {
  const { clock, transport, dispatcher, store, send } = await engineOf(() => 200);
  for (let index = 0; index < 10; index += 1) await send({ messageId: `m${index}`, userId: 'u1' });
  await clock.advance(50);
  const stopped = dispatcher.stop(SECOND);
  await clock.advance(100);
  await stopped;
  expect(store.deliveries.filter(({ state }) => state === 'trying')).toEqual([]);
  const sent = transport.posts.map(idOf);
  expect(sent).toEqual(Array.from({ length: sent.length }, (_, index) => `m${index}`));
});

test('HOOK-25: ordering is a setting, shown once it is set, and tells why something waits', async () => {
  const refused = await refusalOf('', [{ name: 'ordering', value: 'source' }]);
  expect(refused).toContain('must be one of none, user, got "source"');
  const world = await startDeliveryWorld(() => answers(503), [...hooks(), { name: 'ordering', value: 'user' }]);
  const { config } = await world.get('');
  expect(config.at(-1)).toMatchObject({ display_name: 'Ordering', type: 'select', value: 'user' });
  for (const messageId of ['m1', 'm2']) await world.send({ messageId, userId: 'u1' });
  await world.advance(SECOND);
  const { deliveries } = await world.get('/deliveries?state=pending');
  const waiting = deliveries.find((one: { attempts: unknown[]; message_id: string }) => one.message_id === 'm2');
  const { explanation } = await world.get(`/deliveries/${waiting.name.split('/').at(-1)}`);
  expect(explanation.summary).toBe(
    'It waits for its turn: its destination gets the events of each user in order, one at a time.',
  );
});

const TOKEN = 'order-token-0123456789012345';
const USERS = 6;
const EVENTS_OF_A_LIFE = 50;

/** Sends one event after the other for each user until the router is gone; adds those that were acknowledged. */
async function sendAll({ url }: RouterProcess, writeKey: string, life: number, accepted: string[]): Promise<void> {
  const one = async (user: number): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const ids = [0, 1, 2].map((place) => `${user}-${life}-${index}-${place}`);
      const batch = ids.map((messageId) => ({ type: 'track', userId: `u${user}`, event: 'Sent', messageId }));
      const body = JSON.stringify({ writeKey, batch });
      const answer = await fetch(`${url}/v1/batch`, { method: 'POST', body }).catch(() => undefined);
      if (answer?.status !== 200) return;
      accepted.push(...ids);
    }
  };
  await Promise.all(Array.from({ length: USERS }, (_, user) => one(user)));
}

function allArrived({ received }: Receiver, accepted: readonly string[]): boolean {
  const taken = new Set(
    received
      .filter(({ turn }) => turn.behavior.kind === 'answer' && turn.behavior.status === 200)
      .map((one) => textOf(one, 'messageId')),
  );
  return accepted.every((id) => taken.has(id));
}

test('HOOK-25: the events of each user arrive in order, however often the router is killed', async () => {
  const folder = newFolder();
  const receiver = await createReceiver({ script: '503+0.5%+delay:0ms..5ms x*', keep: 200_000 });
  onTestFinished(() => receiver.close());
  const flags = {
    port: '0',
    'data-dir': folder,
    token: TOKEN,
    'allow-networks': '127.0.0.0/8',
    'retry-first-wait': '1s',
  };
  const accepted: string[] = [];
  let writeKey = '';
  for (let life = 0; life < 4; life += 1) {
    await using router = await startRouterProcess(flags);
    if (life === 0)
      writeKey = await connect({ url: router.url, token: TOKEN, slug: 'order', hook: receiver.url, ordering: 'user' });
    const sending = sendAll(router, writeKey, life, accepted);
    await expect
      .poll(() => accepted.length, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(EVENTS_OF_A_LIFE * (life + 1));
    await router.kill();
    await sending;
  }
  await using last = await startRouterProcess(flags);
  expect(last.url).toContain('127.0.0.1');
  await expect.poll(() => allArrived(receiver, accepted), { timeout: 90_000, interval: 250 }).toBe(true);
  expect(accepted.length).toBeGreaterThan(100);
  expect(auditOrder(receiver.received, { ids: accepted })).toEqual([]);
});

test.each(LINE_FACTS.map((fact) => [fact.title, fact] as const))('%s', async (_title, fact) => {
  await expect(checkFact(fact, filePlace)).resolves.toBeUndefined();
});
