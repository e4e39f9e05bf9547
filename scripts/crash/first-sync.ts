import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createConfigClient, type ConfigClient, type Sync } from '../../client/config/index.ts';
import { connect } from '../router/connect.ts';
import { RouterEnded, type RouterProcess, startRouterProcess } from '../router/router-process.ts';
import { printCrash } from './crash-points.ts';
import type { Kill } from './kills.ts';
import { type MembershipReceiver, startMembershipReceiver } from './membership-receiver.ts';

const TOKEN = 'first-sync-token-0123456789';
const ENTRY = fileURLToPath(new URL('router-under-test.ts', import.meta.url));
/** After so long without a new call, a router does not come to the point at which it should end. */
const REACH_MS = 60_000;
const BATCH = 500;
const LOOK_MS = 50;

export interface FirstSyncOptions {
  /** Of a place with nothing in it, as WAYBILL_STORAGE has it. */
  readonly storage: string;
  /** So many users become members, and as many do not. */
  readonly members: number;
  /** `failover`: its database fails over while it tells, and it is killed once it goes on. */
  readonly kills: readonly (Kill | 'failover')[];
  readonly failOver?: () => Promise<void>;
  readonly onKill?: (done: number) => void;
}

export interface FirstSyncReport {
  /** How often a router died at each point. */
  readonly died: Readonly<Record<string, number>>;
  /** Members that were told nothing. */
  readonly missing: number;
  /** Users who were told under two message ids … */
  readonly toldTwice: number;
  /** … who are no members, or were told that they are none. */
  readonly wrong: number;
  /** Requests of the same call: what was under way at a kill. */
  readonly repeated: number;
  /** What the sync says of itself, and how many the next one tells. */
  readonly sync: { readonly size: number; readonly sent: number; readonly delivered: number };
  readonly next: number;
  /** Of background work, by all routers. */
  readonly failedJobs: number;
}

/** Kills a router in the first sync of an audience, and starts it again, until everybody is told. */
export async function firstSyncRun(options: FirstSyncOptions): Promise<FirstSyncReport> {
  await using receiver = await startMembershipReceiver('big_spenders');
  const audience = await prepare(options, receiver.url);
  const { storage } = options;
  const life = { receiver, audience };
  const [died, logs]: [Record<string, number>, string[]] = [{}, []];
  for (const [index, kill] of options.kills.entries()) {
    const [point, written] = await (kill === 'failover'
      ? lifeWithFailover(options, life)
      : lifeUntil(storage, kill, life));
    logs.push(written);
    died[point] = (died[point] ?? 0) + 1;
    options.onKill?.(index + 1);
  }
  logs.push(await lifeToTheEnd(storage, audience));
  await using witness = await start(storage);
  const [next, sync] = [await ended(clientOf(witness), audience, 2), await ended(clientOf(witness), audience, 1)];
  await witness.stop();
  return { ...found(options, receiver), died, sync, next: next.sent, failedJobs: count(logs, 'job failed') };
}

/** Until everybody is told, and another sync has found nothing more to tell. */
async function lifeToTheEnd(storage: string, audience: string): Promise<string> {
  await using router = await start(storage);
  const client = clientOf(router);
  await enable(client, audience);
  await done(client, audience, 1);
  await client.audiences.sync(audience);
  await done(client, audience, 2);
  await router.stop();
  return router.written.stdout;
}

function found({ members }: FirstSyncOptions, { ids, requests, others }: MembershipReceiver) {
  const users = [...ids];
  const strangers = users.filter(([user]) => !user.startsWith('big-')).length;
  return {
    missing: members - (users.length - strangers),
    toldTwice: users.filter(([, { size }]) => size > 1).length,
    wrong: strangers + others.length,
    repeated: requests - users.reduce((sum, [, { size }]) => sum + size, 0),
  };
}

/** An audience that counts, and does not run before all events are there; answers its name. */
async function prepare({ storage, members }: FirstSyncOptions, hook: string): Promise<string> {
  await using router = await start(storage);
  const client = clientOf(router);
  await connect({ url: router.url, token: TOKEN, slug: 'web', hook });
  const { write_keys } = await client.sources.create({ name: 'workspaces/main/sources/shop' });
  const { name } = await client.audiences.create('workspaces/main', {
    display_name: 'Big spenders',
    enabled: false,
    definition: { events: { where: "event = 'Order Completed'", sum: { of: 'properties.total', gte: 100 } } },
    destinations: ['workspaces/main/sources/web/destinations/webhooks'],
  });
  const orders = Array.from({ length: members }, (_, user) => [order(`big-${user}`, 120), order(`small-${user}`, 60)]);
  for (let at = 0; at < members; at += BATCH / 2) {
    const body = JSON.stringify({ writeKey: write_keys[0], batch: orders.slice(at, at + BATCH / 2).flat() });
    const { status } = await fetch(`${router.url}/v1/batch`, { method: 'POST', body });
    if (status !== 200) throw new Error(`a batch was answered ${status}`);
  }
  await router.stop();
  return name;
}

function order(userId: string, total: number): object {
  return { type: 'track', userId, event: 'Order Completed', properties: { total } };
}

interface Life {
  readonly receiver: MembershipReceiver;
  readonly audience: string;
}

type Death = readonly [point: string, written: string];

/** One life, to its end at a point or after some time: where it died, and what the router wrote. */
async function lifeUntil(storage: string, kill: Kill, { receiver, audience }: Life): Promise<Death> {
  const crash = 'crash' in kill ? printCrash(kill.crash) : undefined;
  const router = await start(storage, crash).catch((error: unknown) => {
    // It comes to some points before it listens.
    if (crash !== undefined && error instanceof RouterEnded && error.signal === 'SIGKILL') return undefined;
    throw error;
  });
  if (router === undefined) return [pointOf(kill), ''];
  await using living = router;
  // It may be dead before it answers.
  await enable(clientOf(living), audience).catch(() => undefined);
  // What is not passed any more, as a router has come further than was planned, ends it late.
  const isReached = 'afterMs' in kill ? await wait(kill.afterMs, true) : await hasEnded(living, receiver);
  await living.kill();
  return [isReached ? pointOf(kill) : 'late', living.written.stdout];
}

async function lifeWithFailover({ storage, failOver }: FirstSyncOptions, { receiver, audience }: Life): Promise<Death> {
  await using router = await start(storage);
  await enable(clientOf(router), audience);
  await moreCalls(receiver);
  await failOver?.();
  await moreCalls(receiver);
  await router.kill();
  return ['failover', router.written.stdout];
}

function pointOf(kill: Kill): string {
  return 'crash' in kill ? kill.crash.point : 'random';
}

async function moreCalls(receiver: MembershipReceiver): Promise<void> {
  const before = receiver.ids.size;
  while (receiver.ids.size === before) await wait(5);
}

/** Resolves when the process has ended by itself; false when nothing is told any more before that. */
async function hasEnded(router: RouterProcess, receiver: MembershipReceiver): Promise<boolean> {
  for (let before = -1; before < receiver.requests;) {
    before = receiver.requests;
    const late = new AbortController();
    const over = wait(REACH_MS, true, { signal: late.signal }).catch(() => false);
    const isLate = await Promise.race([router.ended.then(() => false), over]);
    late.abort();
    if (!isLate) return true;
  }
  return false;
}

async function enable(client: ConfigClient, audience: string): Promise<void> {
  if (!(await client.audiences.get(audience)).enabled) await client.audiences.update(audience, { enabled: true });
}

async function done(client: ConfigClient, audience: string, number: number): Promise<Sync> {
  for (;;) {
    const syncs = await Array.fromAsync(client.audiences.syncs(audience));
    const sync = syncs.find(({ name }) => name.endsWith(`/syncs/${number}`));
    if (sync?.state === 'DONE') return sync;
    if (sync !== undefined && sync.state !== 'RUNNING') {
      throw new Error(`sync ${number} is ${sync.state}: ${sync.reason ?? 'no reason given'}`);
    }
    await wait(LOOK_MS);
  }
}

/** With what its calls came to: a router counts them when it starts, and once a minute. */
async function ended(client: ConfigClient, audience: string, number: number): Promise<FirstSyncReport['sync']> {
  for (;;) {
    const { size = 0, sent, delivered, failed, expired } = await done(client, audience, number);
    if (delivered + failed + expired >= sent) return { size, sent, delivered };
    await wait(LOOK_MS);
  }
}

function clientOf({ url }: RouterProcess): ConfigClient {
  return createConfigClient({ baseUrl: url, token: TOKEN });
}

function count(logs: readonly string[], what: string): number {
  return logs.reduce((sum, log) => sum + log.split(what).length - 1, 0);
}

function start(storage: string, crash?: string): Promise<RouterProcess> {
  const local = { port: '0', 'allow-networks': '127.0.0.0/8', 'rate-limit': '0', 'retry-first-wait': '50ms' };
  const death = crash === undefined ? {} : { crash };
  return startRouterProcess({ ...local, storage, token: TOKEN, ...death }, { entry: ENTRY });
}
