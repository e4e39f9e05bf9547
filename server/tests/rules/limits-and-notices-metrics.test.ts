import { expect, onTestFinished, test } from 'vitest';
import { startWaybill } from '../../app.ts';
import { createConfigClient, webhooksConfig } from '../../../client/config/index.ts';
import { postBatch } from '../../../scripts/router/post-batch.ts';
import { createReceiver } from '../../../testbed/index.ts';
import { readSettings } from '../../settings/settings.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const TOKEN = 'token-of-the-metrics-0123456789';
const SHOP = 'workspaces/main/sources/shop';
const HOUR = 3_600_000;
const NOTICES = 'workspaces/main/sources/notices';

/** The whole router, until it is stopped or the test ends. */
async function startRouter(folder: string) {
  const flags = ['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const router = await startWaybill(readSettings(flags, {}), new RecordingLog());
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= router.stop());
  onTestFinished(stop);
  const config = createConfigClient({ baseUrl: router.url, token: TOKEN });
  const figures = async (metric: string): Promise<string[]> => {
    const text = await (await fetch(`${router.url}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith(metric));
  };
  return { url: router.url, config, figures, stop };
}

async function startReceiverOfTest() {
  const receiver = await createReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

test('HOOK-24: a scrape tells how many destinations wait for their own limits', async () => {
  const { url, config, figures } = await startRouter(newFolder());
  const receiver = await startReceiverOfTest();
  const { write_keys: keys } = await config.sources.create({ name: SHOP });
  for (const [slug, limits] of [
    ['webhooks-slow', { maxPerSecond: 0.01 }],
    ['webhooks-free', {}],
  ] as const) {
    const hooks = [{ hook: `${receiver.url}/${slug}` }];
    const name = `${SHOP}/destinations/${slug}`;
    await config.destinations.create({ name, enabled: true, config: webhooksConfig({ hooks, ...limits }) });
  }
  expect(await figures('waybill_destinations_held')).toEqual(['waybill_destinations_held 0']);
  await postBatch(url, keys[0] ?? '', ['m1', 'm2', 'm3']);
  await expect.poll(() => figures('waybill_destinations_held')).toEqual(['waybill_destinations_held 1']);
  await receiver.waitFor({ count: 4, within: '60s' });
  expect(receiver.received.filter(({ path }) => path === '/webhooks-slow')).toHaveLength(1);
  expect(await figures('waybill_destinations_held')).toEqual(['waybill_destinations_held 1']);
});

test('HOOK-26: a scrape tells how many notices were accepted, by name', async () => {
  const [folder, receiver] = [newFolder(), await startReceiverOfTest()];
  const before = await startRouter(folder);
  for (const [source, catalog_name] of [
    [SHOP, 'catalog/sources/javascript'],
    [NOTICES, 'catalog/sources/waybill-notices'],
  ] as const) {
    await before.config.sources.create({ name: source, catalog_name });
    for (const slug of ['webhooks', 'webhooks-b']) {
      const name = `${source}/destinations/${slug}`;
      const isHeard = source === NOTICES && slug === 'webhooks';
      const config = webhooksConfig({ hooks: [{ hook: receiver.url }] });
      await before.config.destinations.create({ name, enabled: isHeard, config });
    }
  }
  expect(await before.figures('waybill_notices_total')).toEqual([]);
  await before.stop();
  await failSince(folder, '2026-01-01T00:00:00.000Z');

  const { figures } = await startRouter(folder);
  await receiver.waitFor({ count: 3, within: '60s' });
  await expect
    .poll(() => figures('waybill_notices_total'))
    .toEqual([
      'waybill_notices_total{notice="destination.parked"} 2',
      'waybill_notices_total{notice="secret.expiring"} 1',
    ]);
});

/** What a router has written before it ended: that both destinations of the shop are parked, which is not told yet, and a rotation. */
async function failSince(folder: string, since: string): Promise<void> {
  const storage = await openStorage(`file:${folder}`, new RecordingLog());
  const health = { state: 'failing', since, number: 1, relapses: 0, is_untold: true } as const;
  const rotation = {
    previous_secret: 'before',
    start_time: since,
    end_time: new Date(Date.now() + HOUR).toISOString(),
  };
  for (const slug of ['webhooks', 'webhooks-b'])
    await storage.resources.update('destinations', `${SHOP}/destinations/${slug}`, (one) => ({
      ...one,
      health,
      ...(slug === 'webhooks' ? { rotation } : {}),
    }));
  await storage.close();
}
