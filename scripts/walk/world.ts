import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSettings } from '../../server/settings/settings.ts';
import { startWaybill } from '../../server/app.ts';
import type { DeliveryStorage } from '../../server/storage/delivery-storage.ts';
import type { Storage } from '../../server/storage/storage.ts';
import type { Log } from '../../server/ports/log.ts';
import { inFolder } from '../bench/folder.ts';

const TOKEN = 'walk-0123456789-0123456789';
const WRITE_KEY = 'k'.repeat(32);
const SOURCE = 'workspaces/main/sources/walk';
const DESTINATION = `${SOURCE}/destinations/webhooks`;

const quiet = (): void => {};
const SILENT: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** A router on real sockets and a real folder, with one source and one webhook. */
export interface World {
  /** One `track` call; resolves when its delivery is recorded. */
  readonly track: () => Promise<void>;
  /** Changes one field of the destination. */
  readonly patch: () => Promise<void>;
}

export function inWorld<Result>(work: (world: World) => Promise<Result>): Promise<Result> {
  return inFolder(async (folder) => {
    await using opened = new AsyncDisposableStack();
    const hook = await startReceiver(opened);
    let onRecorded: (() => void) | undefined;
    const record =
      ({ deliveries }: Storage): DeliveryStorage['record'] =>
      async (rounds) => {
        const refused = await deliveries.record(rounds);
        onRecorded?.();
        return refused;
      };
    const watched = (own: Storage): Storage => ({ ...own, deliveries: { ...own.deliveries, record: record(own) } });
    const flags = ['--port', '0', '--data-dir', folder, '--token', TOKEN, '--allow-networks', '127.0.0.0/8'];
    const waybill = await startWaybill(readSettings(flags, {}), SILENT, { storage: watched });
    opened.defer(() => waybill.stop());
    const call = (method: string, path: string, body: object): Promise<void> =>
      send(`${waybill.url}${path}`, method, body);
    await call('POST', '/v1beta/workspaces/main/sources', { source: { name: SOURCE, write_keys: [WRITE_KEY] } });
    const config = [
      { name: 'hooks', value: [{ hook, headers: { 'X-Customer': 'walk' } }] },
      { name: 'sharedSecret', value: 'walk' },
    ];
    const destination = { name: DESTINATION, enabled: true, config };
    await call('POST', `/v1beta/${SOURCE}/destinations`, { destination });
    return await work({
      track: async () => {
        const recorded = new Promise<void>((resolve) => (onRecorded = resolve));
        await call('POST', '/v1/track', { writeKey: WRITE_KEY, userId: 'ada', event: 'Order Completed' });
        await recorded;
      },
      patch: () =>
        call('PATCH', `/v1beta/${DESTINATION}`, {
          destination: { enabled: true },
          update_mask: { paths: ['destination.enabled'] },
        }),
    });
  });
}

async function startReceiver(opened: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => request.resume().once('end', () => response.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

async function send(url: string, method: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${url} was answered ${response.status}: ${text}`);
}
