/**
 * `npm run demo`: the router, two webhook receivers and a real SDK together. One receiver refuses its first two
 * requests, and the router is killed while those wait to be tried again; then an audience is told. Exits 0 when every event
 * arrived all the same, and the webhook heard who entered and left.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pc from 'picocolors';
import { toldToEnd } from '../testbed/command-line/terminal.ts';
import { createReceiver, type Received, type Receiver } from '../testbed/index.ts';
import { showAudience } from './demo/audience.ts';
import { makeSixCalls } from './demo/calls.ts';
import { connect } from './router/connect.ts';
import { tell, tellDelivery, tellTable } from './demo/printout.ts';
import { faultsOf, type Tally, tally } from './demo/tally.ts';
import { type RouterProcess, startRouterProcess } from './router/router-process.ts';

/** Longer than the router takes to be killed and started again, short enough to be waited for. */
const FIRST_WAIT = '4s';
/** So long the router gets to write down what was delivered; killed earlier, it would rightly deliver that again. */
const RECORDING_MS = 500;
const PATIENCE_MS = 15_000;
const SECRET = 's3cret';

const token = randomBytes(32).toString('base64url');
const folder = await mkdtemp(join(tmpdir(), 'waybill-demo-'));
const flags = {
  port: '0',
  'data-dir': folder,
  token,
  'allow-networks': '127.0.0.0/8',
  'retry-first-wait': FIRST_WAIT,
};

const parts = new AsyncDisposableStack();
parts.defer(async () => rm(folder, { recursive: true, force: true }));

// Whoever reads may hang up, and whoever waits may have seen enough: the routers outlive neither.
let isOver = false;
try {
  isOver = await Promise.race([demo().then(() => true), toldToEnd().then(() => false)]);
} finally {
  await parts.disposeAsync();
}
// What is left of a demo that was ended would go on talking to a router that is gone.
if (!isOver) process.exit(1);

async function demo(): Promise<void> {
  let router = await startRouter();
  tell(`the router runs at ${pc.cyan(router.url)}, with a fresh data folder`);
  await using shop = await startReceiver('shop', '200');
  await using app = await startReceiver('app', '503,503,200');
  try {
    const given = { url: router.url, token, sharedSecret: SECRET };
    const shopKey = await connect({ ...given, slug: 'shop', hook: shop.url });
    const appKey = await connect({ ...given, slug: 'app', hook: app.url });
    tell('two sources made, “shop” and “app”, each with a signed webhook');
    tell(pc.yellow('the receiver of “app” refuses its first two requests (↻)'));

    tell('@segment/analytics-node makes all six calls for each of them;');
    tell('what the receivers see: the call, its signature, and their answer:');
    const sent = await Promise.all([makeSixCalls(router.url, shopKey), makeSixCalls(router.url, appKey)]);
    await Promise.all([shop.waitFor({ count: 6, within: '10s' }), app.waitFor({ count: 6, within: '10s' })]);
    await wait(RECORDING_MS);

    tell(pc.red('the router is killed (SIGKILL) while two deliveries wait to be tried again'));
    await router.kill();
    router = await startRouter();
    tell(`and started again, at ${pc.cyan(router.url)}:`);
    const messageIds = sent.flatMap((one) => one.messageIds);
    const acceptedIds = sent.flatMap((one) => one.acceptedIds);
    const received = await deliveriesOf(acceptedIds, [shop, app]);
    tell('an audience, “Buyers”, is told to the webhook of “shop”: three users buy, and enter it');
    const destination = 'workspaces/main/sources/shop/destinations/webhooks';
    const unheard = await showAudience({ url: router.url, token, writeKey: shopKey, destination, receiver: shop });
    conclude(tally(messageIds, acceptedIds, received), unheard);
  } finally {
    await router.stop();
  }
}

async function startRouter(): Promise<RouterProcess> {
  let starting: Promise<RouterProcess> | undefined;
  // Before the start: once the demo is over, this throws, and nothing is started.
  parts.defer(async () =>
    starting?.then(
      async (router) => router.kill(),
      () => undefined,
    ),
  );
  starting = startRouterProcess(flags);
  return starting;
}

async function startReceiver(name: string, script: string): Promise<Receiver> {
  const receiver = await createReceiver({ secret: SECRET, script });
  receiver.onEvent((event) => {
    if (event.kind === 'received') tellDelivery(name, event.request);
  });
  return receiver;
}

/** What the receivers got, once they have everything that was accepted, or patience is over. */
async function deliveriesOf(acceptedIds: readonly string[], receivers: readonly Receiver[]): Promise<Received[]> {
  const received = (): Received[] => receivers.flatMap((receiver) => receiver.received);
  const arrived = new Promise<void>((resolve) => {
    const look = (): void => {
      if (tally([], acceptedIds, received()).lost === 0) resolve();
    };
    for (const receiver of receivers) receiver.onEvent(look);
    look();
  });
  await Promise.race([arrived, wait(PATIENCE_MS, undefined, { ref: false })]);
  return received();
}

function conclude(result: Tally, unheard: readonly string[]): void {
  const faults = [...faultsOf(result), ...unheard];
  tellTable({ ...result });
  for (const fault of faults) console.log(pc.red(`  ✗ ${fault}`));
  if (faults.length === 0)
    console.log(pc.green('  Every event arrived, signed, over refusals and a killed router; the audience was told.'));
  process.exitCode = faults.length === 0 ? 0 : 1;
}
