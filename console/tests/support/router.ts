import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ConfigClient, createConfigClient, webhooksConfig } from '../../../client/config/index.ts';
import { startWaybill } from '../../../server/app.ts';
import { readSettings } from '../../../server/settings/settings.ts';
import { RecordingLog } from '../../../server/tests/support/ingestion-log.ts';

export const TOKEN = 'console-test-token-0123456789';

export interface TestRouter {
  readonly url: string;
  readonly client: ConfigClient;
  /** Sends a call as an SDK would; resolves once the event is stored. */
  send(writeKey: string, call: object): Promise<void>;
}

/** A real router with an empty store, ended with the test. */
export async function startRouter(...flags: readonly string[]): Promise<TestRouter> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-console-'));
  const own = ['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const waybill = await startWaybill(readSettings([...own, ...flags], {}), new RecordingLog());
  onTestFinished(async () => {
    await waybill.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: waybill.url,
    client: createConfigClient({ baseUrl: waybill.url, token: TOKEN }),
    async send(writeKey, call) {
      const headers = { authorization: `Basic ${btoa(`${writeKey}:`)}` };
      const response = await fetch(`${waybill.url}/v1/track`, { method: 'POST', headers, body: JSON.stringify(call) });
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
