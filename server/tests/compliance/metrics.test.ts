import { batchOf, fenceOf, openMemory } from '../support/memory-storage.ts';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { measured } from '../../operations/metrics/measured-deliveries.ts';
import { createMetrics } from '../../operations/metrics/metrics-page.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { Memory } from '../../storage/memory/memory.ts';
import type { Clock } from '../../ports/clock.ts';
import { createInstruments } from '../../operations/metrics/registry.ts';
import type { Acceptance, Attempt } from '../../model/delivery.ts';
import { messageOf } from '../support/engine.ts';
import { portOf } from '../support/raw-receiver.ts';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { stillClock } from '../support/still-clock.ts';

const NOW = Date.UTC(2026, 0, 1);
const DESTINATION = 'workspaces/main/sources/js/destinations/webhooks';
/** On which no wait is ever over. */
const clock: Clock = { ...stillClock(() => NOW + 90_000), sleep: () => new Promise(() => undefined) };

test('accepted events and duplicates are counted apart', async () => {
  const { store, page } = start();
  await store.accept(batchOf([accepted('m1'), accepted('m1'), accepted('m2')]));
  expect(await page()).toMatch(/^waybill_events_accepted_total 2$/m);
  expect(await page()).toMatch(/^waybill_events_duplicate_total 1$/m);
});

test('attempts are counted by outcome, and a delivery ends once', async () => {
  const { store, page } = start();
  const [claims] = await store.accept(batchOf([accepted('m1', true)]));
  const [claim] = claims === 'duplicate' ? [] : (claims ?? []);
  if (claim === undefined) throw new Error('the acceptance gave no claim');
  const round = { ...fenceOf(claim), destination: DESTINATION, endedAt: NOW, ageMs: 250 };
  const verdict = { state: 'delivered' } as const;
  await store.record([{ ...round, attempts: [attempt('delivered')], verdict }]);
  await store.record([{ ...round, attempts: [attempt('http_5xx')], verdict }]);
  const text = await page();
  expect(text).toMatch(/^waybill_attempts_total\{outcome="delivered"\} 1$/m);
  expect(text).toMatch(/^waybill_attempts_total\{outcome="http_5xx"\} 1$/m);
  expect(text).toMatch(/^waybill_deliveries_ended_total\{state="delivered"\} 1$/m);
  expect(text).toMatch(/^waybill_delivery_seconds_sum 0\.25$/m);
});

test('what has not ended is counted by state, with the age of the oldest, once in two seconds however many ask', async () => {
  const virtual = new VirtualClock(NOW + 88_000);
  const { store, page } = start(openMemory(), 'one', virtual);
  expect(await page()).toMatch(/^waybill_deliveries_unfinished_oldest_seconds\{state="pending"\} 0$/m);
  await store.accept(batchOf([accepted('m1'), accepted('m2'), accepted('m3')]));
  await virtual.advance(1_999);
  const soon = await page();
  expect(soon).toMatch(/^waybill_deliveries_unfinished\{state="pending"\} 0$/m);
  expect(soon).toMatch(/^waybill_events_accepted_total 3$/m);
  await virtual.advance(1);
  await store.claim({ which: 'due', destination: DESTINATION, now: NOW, limit: 1 });
  const text = await page();
  expect(text).toMatch(/^waybill_deliveries_unfinished\{state="pending"\} 2$/m);
  expect(text).toMatch(/^waybill_deliveries_unfinished\{state="trying"\} 1$/m);
  expect(text).toMatch(/^waybill_deliveries_unfinished_oldest_seconds\{state="pending"\} 90$/m);
  expect(text).toMatch(/^waybill_deliveries_unfinished_oldest_seconds\{state="trying"\} 90$/m);
  expect(text).toMatch(/^waybill_destinations_parked 3$/m);
});

test('the page is served as Prometheus reads it, and other paths are passed on', async () => {
  const { middleware } = start();
  const server = new Koa().use(middleware).listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${portOf(server)}`;
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await answer.text()).toContain('# HELP waybill_events_accepted_total');
  expect((await fetch(`${url}/other`)).status).toBe(404);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ROUTER = { name: 'router-a:12', version: '1.2.3' };

test('a router tells its name and version, by which its scrapes are found among all routers', async () => {
  expect(await start().page()).toMatch(/^waybill_router_info\{name="router-a:12",version="1\.2\.3"\} 1$/m);
});

test('what all routers have in common is told by the first of them alone, and each tells what is its own', async () => {
  const memory = new Memory({ clock });
  const [one, other] = [start(memory.open('one'), 'one'), start(memory.open('other'), 'other')];
  await one.store.accept(batchOf([accepted('m1'), accepted('m2')]));
  expect(await one.page()).toMatch(/^waybill_deliveries_unfinished\{state="pending"\} 2$/m);
  const text = await other.page();
  expect(text).not.toMatch(CLUSTER_WIDE);
  expect(text).toMatch(/^waybill_deliveries_in_flight 5$/m);
});

test('what was told by a router that is no member any more is absent', async () => {
  const memory = new Memory({ clock });
  const own = memory.open('two');
  const { page } = start(own, 'two');
  expect(await page()).toMatch(CLUSTER_WIDE);
  await memory.open('one').join({ now: NOW });
  expect(await page()).not.toMatch(CLUSTER_WIDE);
});

test('the page is there while the storage is not, without what only that knows', async () => {
  const memory = openMemory();
  const { page } = start({ ...memory, trying: () => Promise.reject(new StoreUnavailable('away')) });
  const text = await page();
  expect(text).not.toMatch(CLUSTER_WIDE);
  expect(text).toMatch(/^waybill_events_accepted_total 0$/m);
});

test('a storage that does not answer holds up the page for two seconds', async () => {
  const [memory, virtual] = [openMemory(), new VirtualClock(NOW)];
  const own = { ...memory, trying: () => new Promise<never>(() => undefined) };
  const asked = start(own, 'one', virtual).page();
  await virtual.advance(2_000);
  expect(await asked).not.toMatch(CLUSTER_WIDE);
});

test('HOOK-9: what takes longer to count than who scrapes waits is told as it was counted last, for five minutes', async () => {
  const [memory, virtual] = [openMemory(), new VirtualClock(NOW)];
  let counted: Promise<unknown> = Promise.resolve();
  const own = { ...memory, trying: () => counted.then(() => memory.trying()) };
  const { store, page } = start(own, 'one', virtual);
  await store.accept(batchOf([accepted('m1')]));
  expect(await page()).toMatch(ONE_WAITS);
  const slow = Promise.withResolvers<void>();
  counted = slow.promise;
  await store.accept(batchOf([accepted('m2')]));
  const pageIn = async (ms: number): Promise<string> => {
    await virtual.advance(ms);
    const asked = page();
    await virtual.advance(2_000);
    return asked;
  };
  expect(await pageIn(15_000)).toMatch(ONE_WAITS);
  expect(await pageIn(270_000)).toMatch(ONE_WAITS);
  expect(await pageIn(15_000)).not.toMatch(CLUSTER_WIDE);
  slow.resolve();
  expect(await page()).toMatch(/^waybill_deliveries_unfinished\{state="pending"\} 2$/m);
});

test('HOOK-9: what was counted last is told where the next count fails, and by no router that does not hear whether it is the first', async () => {
  const [memory, virtual] = [openMemory(), new VirtualClock(NOW)];
  let [trying, members] = [() => memory.trying(), () => memory.members()];
  const { store, page } = start({ ...memory, trying: () => trying(), members: () => members() }, 'one', virtual);
  await store.accept(batchOf([accepted('m1')]));
  expect(await page()).toMatch(ONE_WAITS);
  trying = () => Promise.reject(new StoreUnavailable('it took too long'));
  await virtual.advance(15_000);
  expect(await page()).toMatch(ONE_WAITS);
  // Another router is the first by now, or will be.
  members = () => new Promise(() => undefined);
  await virtual.advance(15_000);
  const asked = page();
  await virtual.advance(2_000);
  expect(await asked).not.toMatch(CLUSTER_WIDE);
});

const ONE_WAITS = /^waybill_deliveries_unfinished\{state="pending"\} 1$/m;
const CLUSTER_WIDE = /^waybill_(deliveries_unfinished|destinations_parked)[^#\n]*\d$/m;

test('a router that cannot store what it is sent says so', async () => {
  const findings: Record<string, string> = { 'delivery store': 'ok', 'config store': 'ok' };
  const { page } = start(openMemory(), 'one', clock, findings);
  expect(await page()).toMatch(/^waybill_ready 1$/m);
  findings['config store'] = 'no space left';
  expect(await page()).toMatch(/^waybill_ready 0$/m);
});

function start(own = openMemory(), node: string | undefined = 'one', at = clock, findings = {}) {
  const instruments = createInstruments();
  void own.join({ now: NOW });
  const deliveries = measured(own, instruments);
  const dispatcher = { inFlight: 5, parked: 3, held: 2, node };
  const sources = {
    deliveries,
    tellings: own,
    members: own,
    dispatcher,
    router: ROUTER,
    readiness: () => Promise.resolve(findings),
    clock: at,
    log: { dropped: 7 },
  };
  const { page: middleware } = createMetrics(instruments, sources);
  const store = deliveries;
  const page = async (): Promise<string> => {
    // Only the two fields that the page sets, and the path that it looks at.
    const context = { path: '/metrics', type: '', body: '' };
    await Reflect.apply(middleware, undefined, [context, () => Promise.resolve()]);
    return context.body;
  };
  return { store, page, middleware };
}

function accepted(messageId: string, claimed = false): Acceptance {
  const message = messageOf({ now: () => NOW }, { messageId });
  return { message, routes: [{ destination: DESTINATION, claimed }] };
}

function attempt(outcome: Attempt['outcome']): Attempt {
  return {
    webhook: 'https://a.test/',
    number: 0,
    startedAt: NOW,
    durationMs: 250,
    outcome,
    excerpt: '',
    rule: 'first_success_ends',
  };
}
