import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../server/ports/log.ts';
import { readSettings } from '../../server/settings/settings.ts';
import { startWaybill } from '../../server/app.ts';
import { createReceiver } from '../../testbed/index.ts';
import { WRITE_KEY } from './capture.ts';
import type { Delivered } from './deliveries.ts';

const TOKEN = 'captures-token-0123456789';
const SOURCE = 'workspaces/main/sources/captures';
const SECRET = 's3cret';
const QUIET: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A router with a source of the known write key, and a webhook that checks signatures. */
export interface Place extends AsyncDisposable {
  readonly url: string;
  /** What the webhook got, once it has so many; each with a signature that is right. */
  readonly delivered: (count: number) => Promise<Delivered[]>;
}

export async function openPlace(): Promise<Place> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-captures-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const flags = ['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const waybill = await startWaybill(readSettings(flags, {}), QUIET);
  opened.defer(() => waybill.stop());
  const receiver = await createReceiver({ secret: SECRET });
  opened.defer(() => receiver.close());
  await post(waybill.url, 'workspaces/main/sources', { source: { name: SOURCE, write_keys: [WRITE_KEY] } });
  const config = [
    { name: 'hooks', value: [{ hook: receiver.url }] },
    { name: 'sharedSecret', value: SECRET },
  ];
  const destination = { name: `${SOURCE}/destinations/webhooks`, enabled: true, config };
  await post(waybill.url, `${SOURCE}/destinations`, { destination });
  const running = opened.move();
  return {
    url: waybill.url,
    delivered: async (count) => {
      await receiver.waitFor({ count, within: '25s' });
      const valid = receiver.received.filter(({ signature }) => signature.verdict === 'valid');
      return valid.map(({ event }): Delivered => Object(event));
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function post(url: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/v1beta/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
}
