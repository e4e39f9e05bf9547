import { globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startWaybill, type Waybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { RecordingLog } from './ingestion-log.ts';
import { leaksIn } from './leaks.ts';
import { listening } from './raw-receiver.ts';

const TOKEN = 's3aledAccessToken-0123456789';
const WRITE_KEY = 's3aledWriteKeyOfSource';
/** Long enough that no ciphertext has one by chance. */
export const SECRETS = {
  writeKey: WRITE_KEY,
  shared: 's3aledSharedSecretOfHooks',
  next: 's3aledSecretThatRotatesIn',
  header: 's3aledHeaderValueOfHook',
  password: 's3aledPasswordInBasicAuth',
  other: 's3aledApiKeyOfAnotherKind',
};

/** A key for `--secret-keys`, another one for each number. */
export function keyText(number: number): string {
  return Buffer.alloc(32, number).toString('base64');
}

/** What of the secrets can be read in these files, whatever spells it. */
export function readableIn(folder: string): string[] {
  const files = globSync('**/*', { cwd: folder }).map((name) => join(folder, name));
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'latin1'));
  expect(texts.length).toBeGreaterThan(2);
  const hidden = Object.values(SECRETS);
  return hidden.filter((secret) => texts.some((text) => leaksIn(text, [secret]).length > 0));
}

export interface SecretWorld {
  readonly log: RecordingLog;
  /** Asks the Config API; the answer, parsed. */
  readonly ask: (method: string, path: string, body?: object) => Promise<Answer>;
  /** Sends an event with the write key, which is delivered with all secrets, to a receiver that answers what it was sent. */
  readonly send: () => Promise<number>;
  /** What `waybill backup` saves. */
  readonly backup: () => Promise<Buffer>;
  readonly stop: () => Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly etag: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- paths into answers stay readable
  readonly body: any;
}

/** A router on this storage with these keys, until it is stopped or the test ends. */
export async function startSecretWorld(storage: string, keys: string): Promise<SecretWorld> {
  const flags = ['--port=0', `--storage=${storage}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const log = new RecordingLog();
  const settings = readSettings([...flags, '--rate-limit=0', `--secret-keys=${keys}`], {});
  const waybill = await startWaybill(settings, log);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= waybill.stop());
  onTestFinished(stop);
  return { log, ask: askOf(waybill), send: () => sendTo(waybill), backup: () => backUp(waybill), stop };
}

const SOURCE = 'workspaces/main/sources/js';
export const DESTINATION = `${SOURCE}/destinations/webhooks`;

/** Everything that is a secret, by the Config API; a rotation is under way afterwards. */
export async function fillWithSecrets({ ask, send }: SecretWorld): Promise<void> {
  const { shared, header, password, other, next } = SECRETS;
  const headers = [
    { key: 'Authorization', value: `Bearer ${header}` },
    { key: 'X-Other', value: `Basic ${Buffer.from(`user:${password}`).toString('base64')}` },
  ];
  const config = [
    { name: 'hooks', value: [{ hook: `http://127.0.0.1:${await startEcho()}/`, headers }] },
    { name: 'sharedSecret', value: shared },
  ];
  const second = {
    name: `${SOURCE}/destinations/other-kind`,
    config: [{ name: 'apiKey', type: 'string', value: other }],
  };
  const made = [
    await ask('POST', '/workspaces/main/sources', { source: { name: SOURCE, write_keys: [WRITE_KEY] } }),
    await ask('POST', `/${SOURCE}/destinations`, { destination: { name: DESTINATION, enabled: true, config } }),
    await ask('POST', `/${SOURCE}/destinations`, { destination: second }),
    await ask('POST', `/${DESTINATION}:rotateSecret`, { secret: next }),
  ];
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await send()).toBe(200);
  const list = async (): Promise<unknown[]> =>
    (await ask('GET', `/${DESTINATION}/deliveries?state=delivered`)).body.deliveries;
  await expect.poll(async () => (await list()).length).toBe(1);
}

function askOf({ url }: Waybill): SecretWorld['ask'] {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/v1beta${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, etag: answer.headers.get('etag'), body: await answer.json() };
  };
}

async function sendTo({ url }: Waybill): Promise<number> {
  const body = JSON.stringify({ writeKey: WRITE_KEY, batch: [{ type: 'track', userId: 'u', event: 'E' }] });
  return (await fetch(`${url}/v1/batch`, { method: 'POST', body })).status;
}

async function backUp({ url }: Waybill): Promise<Buffer> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/v1beta/backup`, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** What a receiver says of the request is kept with the attempt. */
async function startEcho(): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(JSON.stringify(request.headers)));
  });
  return listening(server);
}
