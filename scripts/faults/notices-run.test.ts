import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConfigClient, webhooksConfig } from '../../client/config/index.ts';
import { findPostgres, startPostgres } from '../../server/tests/support/postgres-server.ts';
import { createReceiver, type Receiver, textOf } from '../../testbed/index.ts';
import { deliveryMatchers } from '../../testbed/vitest/index.ts';
import { connect } from '../router/connect.ts';
import { postBatch } from '../router/post-batch.ts';
import { urlOfPair } from './database-pair.ts';
import { Fleet } from './fleet.ts';

expect.extend(deliveryMatchers);

const TOKEN = 'notices-run-token-0123456789';
const NOTICES = 'workspaces/main/sources/notices';
const SHOP = 'workspaces/main/sources/shop/destinations/webhooks';
const RUN = { timeout: 400_000, tags: ['long'] };
const LOOK = { timeout: 120_000, interval: 250 };
/** As often as routers look at how destinations fare. */
const BETWEEN_LOOKS_MS = 10_000;

async function startFleet(): Promise<Fleet> {
  const database = await startPostgres({ tcp: true });
  onTestFinished(() => database.stop());
  const fleet = await Fleet.start({ token: TOKEN, routers: 2, databasePorts: [database.port], storage: urlOfPair });
  onTestFinished(() => fleet[Symbol.asyncDispose]());
  return fleet;
}

async function receiverOf(script: string): Promise<Receiver> {
  const receiver = await createReceiver({ script, keep: 100_000 });
  onTestFinished(() => receiver.close());
  return receiver;
}

async function subscribe(url: string, hook: string): Promise<void> {
  const client = createConfigClient({ baseUrl: url, token: TOKEN });
  await client.sources.create({ name: NOTICES, catalog_name: 'catalog/sources/waybill-notices' });
  const config = webhooksConfig({ hooks: [{ hook }] });
  await client.destinations.create({ name: `${NOTICES}/destinations/webhooks`, enabled: true, config });
}

/** Events for the shop, to any router that runs, until the test ends. */
function keepSending(fleet: Fleet, writeKey: string): void {
  const over = new AbortController();
  const work = async (): Promise<void> => {
    for (let sent = 0; !over.signal.aborted; sent += 1) {
      const url = fleet.urls[sent % fleet.urls.length] ?? '';
      await postBatch(url, writeKey, [`n-${sent}`], { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
      await wait(100);
    }
  };
  const working = work();
  onTestFinished(() => {
    over.abort();
    return working;
  });
}

const names = ({ received }: Receiver): Set<string | undefined> => new Set(received.map((one) => textOf(one, 'event')));

describe.skipIf(findPostgres() === undefined)('two routers on PostgreSQL', () => {
  test(
    'HOOK-26: a destination that is parked and recovers is told once each, also when routers are killed',
    RUN,
    async () => {
      const fleet = await startFleet();
      const [shop, hears] = [await receiverOf('500 x*'), await receiverOf('503,200 x*')];
      const [url = ''] = fleet.urls;
      const writeKey = await connect({ url, token: TOKEN, slug: 'shop', hook: shop.url });
      await subscribe(url, hears.url);
      keepSending(fleet, writeKey);
      await expect.poll(() => names(hears), LOOK).toEqual(new Set(['destination.parked']));
      // Whoever tells: the one, then the other.
      await fleet.kill(0);
      await fleet.start(0);
      shop.setScript('200');
      await expect
        .poll(
          () => shop.received.some(({ turn }) => turn.behavior.kind === 'answer' && turn.behavior.status === 200),
          LOOK,
        )
        .toBe(true);
      await fleet.kill(1);
      await fleet.start(1);
      for (let looks = 0; looks < 12 && !names(hears).has('destination.recovered'); looks += 1) {
        await wait(BETWEEN_LOOKS_MS);
        fleet.passTenMinutes();
      }
      await expect.poll(() => names(hears), LOOK).toContain('destination.recovered');
      await wait(2 * BETWEEN_LOOKS_MS);
      expect(hears).toHaveBeenNotified({ type: 'destination.parked', destination: SHOP });
      expect(hears).toHaveBeenNotified({ type: 'destination.recovered', destination: SHOP });
    },
  );
});
