import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { type ConfigClient, createConfigClient, webhooksConfig } from '../../../client/config/index.ts';
import { startWaybill, type Waybill } from '../../../server/app.ts';
import { readSettings } from '../../../server/settings/settings.ts';
import { RecordingLog } from '../../../server/tests/support/ingestion-log.ts';

export const TOKEN = 'console-test-token-0123456789';

export interface TestRouter {
  readonly url: string;
  readonly client: ConfigClient;
  /** Sends a call as an SDK would; resolves once the event is stored. */
  send(writeKey: string, call: object): Promise<void>;
  /** Stops it, does something while it is away, and starts it at the same address with the same data. */
  restart(meanwhile: (folder: string) => Promise<void>): Promise<void>;
}

/** A real router with an empty store, ended with the test. */
export async function startRouter(...flags: readonly string[]): Promise<TestRouter> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-console-'));
  const own = [`--data-dir=${folder}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const start = (port: string): Promise<Waybill> =>
    startWaybill(readSettings([...own, ...flags, `--port=${port}`], {}), new RecordingLog());
  let waybill = await start('0');
  const { url } = waybill;
  onTestFinished(async () => {
    await waybill.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url,
    client: createConfigClient({ baseUrl: url, token: TOKEN }),
    async restart(meanwhile) {
      await waybill.stop();
      await meanwhile(folder);
      // Whoever else was given the port meanwhile gives it back.
      waybill = await vi.waitFor(() => start(new URL(url).port), { timeout: 60_000, interval: 200 });
    },
    async send(writeKey, call) {
      const headers = { authorization: `Basic ${btoa(`${writeKey}:`)}` };
      const response = await fetch(`${url}/v1/track`, { method: 'POST', headers, body: JSON.stringify(call) });
      if (response.status !== 200) throw new Error(`the call was refused: ${await response.text()}`);
    },
  };
}

/** A source with a webhooks destination; answers its write key. */
export async function connect({ client }: TestRouter, hook: string, title = 'Shop'): Promise<string> {
  const source = await client.sources.create({
    name: 'workspaces/main/sources/shop',
    display_name: title,
    catalog_name: 'catalog/sources/javascript',
  });
  await client.destinations.create({
    name: `${source.name}/destinations/webhooks`,
    display_name: 'Warehouse',
    enabled: true,
    config: webhooksConfig({ hooks: [{ hook, headers: { 'X-Team': 'web' } }], sharedSecret: 's3cret' }),
  });
  return source.write_keys[0] ?? '';
}
