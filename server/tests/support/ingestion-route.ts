import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createReceiver, type Received, textOf } from '../../../testbed/index.ts';
import { readSettings } from '../../settings/settings.ts';
import { startWaybill } from '../../app.ts';
import { type Fault, startFaultyFront } from './ingestion-faulty-front.ts';
import { RecordingLog } from './ingestion-log.ts';

const TOKEN = 'route-test-token-0123456789';
const SECRET = 's3cret';
export const SOURCE = 'workspaces/main/sources/app';

/** What the Config API answers, as far as tests look at it. */
export type Resource = Readonly<Record<string, unknown>>;

export interface Route {
  /** Where the SDK sends: a front before the router that plays the faults. */
  readonly host: string;
  readonly writeKey: string;
  /** The Config API, below `/v1beta`; a call must succeed. */
  readonly config: (method: string, path: string, body?: unknown) => Promise<Resource>;
  /** Changes fields of the source through the Config API. */
  readonly changeSource: (fields: object) => Promise<unknown>;
  /** Faults that nobody has met yet. */
  readonly faultsLeft: () => readonly Fault[];
  /** What the webhook got, once it has so many requests; each with a signature that is right. */
  readonly delivered: (count: number) => Promise<readonly Received[]>;
}

/**
 * The whole way of an event for one test: faults in front of a router with its real stores, a source, and a webhook that
 * verifies what it gets. The first requests meet a fault each.
 */
export async function startRoute(...faults: Fault[]): Promise<Route> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-route-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let routerUrl = '';
  const front = await startFaultyFront(() => routerUrl, faults);
  onTestFinished(front.close);
  const flags = ['--port=0', `--data-dir=${folder}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  flags.push(`--public-url=${front.url}`);
  const waybill = await startWaybill(readSettings(flags, {}), new RecordingLog());
  routerUrl = waybill.url;
  onTestFinished(() => waybill.stop());
  const receiver = await createReceiver({ secret: SECRET });
  onTestFinished(() => receiver.close());
  const writeKey = await connect(waybill.url, receiver.url);
  return {
    host: front.url,
    writeKey,
    config: (method, path, body) => call(method, waybill.url, path, body),
    changeSource: (source) =>
      call('PATCH', waybill.url, `/${SOURCE}`, { source, update_mask: { paths: Object.keys(source) } }),
    faultsLeft: front.faultsLeft,
    delivered: async (count) => {
      await receiver.waitFor({ count, within: '25s' });
      return receiver.received.filter(({ signature }) => signature.verdict === 'valid');
    },
  };
}

/** What came, by type, without regard to order: retries change it. */
export function typesOf(received: readonly Received[]): string[] {
  return received.map((each) => textOf(each, 'type') ?? '').toSorted();
}

/** Makes a source with a webhook; answers its write key. */
async function connect(url: string, hook: string): Promise<string> {
  const source = await call('POST', url, '/workspaces/main/sources', { source: { name: SOURCE } });
  const config = [
    { name: 'hooks', value: [{ hook }] },
    { name: 'sharedSecret', value: SECRET },
  ];
  const name = `${SOURCE}/destinations/webhooks`;
  await call('POST', url, `/${SOURCE}/destinations`, { destination: { name, enabled: true, config } });
  const [writeKey]: unknown[] = Object(source['write_keys']);
  if (typeof writeKey !== 'string') throw new Error('the source came without a write key');
  return writeKey;
}

async function call(method: string, url: string, path: string, body?: unknown): Promise<Resource> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1beta${path}`, { method, headers, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
  const resource: Resource = JSON.parse(text);
  return resource;
}
