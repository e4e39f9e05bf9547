import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createContractCheck } from '../support/config-contract.ts';
import { portOf } from '../support/raw-receiver.ts';
import { type Released, readReleased, unpack } from '../support/released-folder.ts';

const PRELOAD = new URL('../support/at-another-time.ts', import.meta.url).href;
const PATIENT = { timeout: 60_000, interval: 100 };
/** All that waited is due by then, and nothing is forgotten yet. */
const LATER_MS = 20 * 60_000;

interface World {
  readonly released: Released;
  readonly folder: string;
  readonly router: RouterProcess;
  /** `/path message-id`, of each request that came. */
  readonly arrived: string[];
  readonly get: (path: string) => Promise<Json>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- paths into answers stay readable
type Json = Record<string, any>;

/** Today's router as a process on the folder that the released one left, a little later. */
async function startToday(): Promise<World> {
  const released = readReleased('0.1.0');
  const { arrived, port } = await startReceiver();
  const folder = unpack(released);
  const flags = { port: '0', 'data-dir': folder, 'allow-networks': '127.0.0.0/8', 'rate-limit': '0' };
  const env = {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    CLOCK_AT: String(released.madeAt + LATER_MS),
    PORT_FROM: String(released.port),
    PORT_TO: String(port),
  };
  const router = await startRouterProcess(flags, { env });
  onTestFinished(() => router.kill());
  const check = createContractCheck();
  const get = async (path: string): Promise<Json> => {
    const headers = { Authorization: `Bearer ${released.token}` };
    const answer = await fetch(`${router.url}/v1beta/${path}`, { headers });
    const body: Json = JSON.parse(await answer.text());
    const request = { method: 'GET', path: new URL(answer.url).pathname };
    expect({ path, status: answer.status, fault: check(request, answer.status, body) }).toEqual({ path, status: 200 });
    return body;
  };
  return { released, folder, router, arrived, get };
}

async function startReceiver(): Promise<{ arrived: string[]; port: number }> {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: Json = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      arrived.push(`${request.url} ${body['messageId']}`);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { arrived, port: portOf(server) };
}

test('NODE-7: a data folder of version 0.1.0 opens, and nothing in it is lost', async () => {
  const world = await startToday();
  const { released, folder, router } = world;
  expect(router.written.stdout).toContain('the data folder was migrated');
  for (const backup of ['deliveries.sqlite.format-2.backup', 'config/format-1.backup/root.json'])
    expect(existsSync(join(folder, backup)), backup).toBe(true);
  await expectAnswers(world);
  await expectDelivered(world);
  await vi.waitFor(
    async () => expect(await world.get(released.running.name)).toMatchObject({ state: 'finished' }),
    PATIENT,
  );
  await vi.waitFor(
    async () => expect(await world.get(released.regulation.name)).toMatchObject({ overall_status: 'FINISHED' }),
    PATIENT,
  );
  expect((await world.get(`${SUPPRESSED}?page_size=100`))['suppressed_users']).toContainEqual(
    expect.objectContaining({ user_id: DELETED }),
  );
  await expectKnownIds(world);
});

const SUPPRESSED = 'workspaces/main/suppressed-users';

/** Each resource that was answered is answered still, as the document says, and with all that it had. */
async function expectAnswers({ released, get }: World): Promise<void> {
  const { answers, running, regulation } = released;
  const kept = Object.entries(answers).filter(([, { user_id }]) => user_id !== DELETED);
  expect(kept.length).toBeGreaterThan(100);
  for (const [path, before] of kept.filter(([one]) => one.includes('?')))
    expect(namesIn(await get(path)), path).toEqual(expect.arrayContaining(namesIn(before)));
  for (const [path, before] of kept.filter(([one]) => !one.includes('?'))) {
    const lasts = path !== running.name && hasEnded(path, before);
    expect(await get(path), path).toMatchObject(lasts ? lasting(before) : {});
  }
  expect(await get(regulation.name)).toMatchObject({ regulation_type: 'Suppress_With_Delete' });
}

/** The user whom the regulation deletes that had just been asked for. */
const DELETED = 'u-last';

/** What waits goes on, and what a replay sends again is not what it was. */
function hasEnded(path: string, { state }: Json): boolean {
  return !/\/deliveries\/\d+$/.test(path) || !(['pending', 'trying'].includes(state) || path.includes('/gone/'));
}

/**
 * Without what a use changes, and what is written for people. Since then rules have names of their own, and of a webhook
 * its scheme and host are told.
 */
function lasting({ last_used_time: _time, explanation: _words, ...rest }: Json): Json {
  const changed: Json = JSON.parse(JSON.stringify(rest), (key, value) => {
    if (key === 'rule') return undefined;
    return key === 'webhook' ? new URL(String(value)).origin : value;
  });
  return changed;
}

function namesIn(list: Json): string[] {
  const items: Json[] = Object.values(list).find((value) => Array.isArray(value)) ?? [];
  return items
    .filter(({ message_id, user_id }) => message_id === undefined || user_id !== DELETED)
    .map(({ name, source_name, user_id }) => name ?? source_name ?? user_id);
}

async function expectDelivered({ released, get }: World): Promise<void> {
  const waiting = Object.entries(released.answers).filter(
    ([path, { state }]) => /\/deliveries\/\d+$/.test(path) && ['pending', 'trying'].includes(state),
  );
  expect(waiting.length).toBeGreaterThan(15);
  for (const [path] of waiting)
    await vi.waitFor(async () => expect(await get(path)).toMatchObject({ state: 'delivered' }), PATIENT);
}

/** What was accepted before is known, and is neither stored nor sent again. */
async function expectKnownIds({ released, router, arrived }: World): Promise<void> {
  const { write_keys: [writeKey] = [] } = released.answers['workspaces/main/sources/slow'] ?? {};
  const batch = [0, 1, 2].map((index) => ({ type: 'track', event: 'E', userId: 'u', messageId: `trying-${index}` }));
  const sent = [...batch, { type: 'track', event: 'E', userId: 'u', messageId: 'new' }];
  const answer = await fetch(`${router.url}/v1/batch`, {
    method: 'POST',
    body: JSON.stringify({ writeKey, batch: sent }),
  });
  expect(answer.status).toBe(200);
  await vi.waitFor(() => expect(arrived).toContain('/slow new'), PATIENT);
  const metrics = await (await fetch(`${router.url}/metrics`)).text();
  expect(metrics).toMatch(/^waybill_events_duplicate_total 3$/m);
  for (const { messageId } of batch) expect(arrived.filter((one) => one === `/slow ${messageId}`)).toHaveLength(1);
}
