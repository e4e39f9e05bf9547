import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConfigClient } from '../../../client/config/index.ts';
import { connectWebhook } from '../../../scripts/crash/connection.ts';
import { connect } from '../../../scripts/router/connect.ts';
import { type RouterProcess, runRouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { createReceiver, type Receiver, textOf } from '../../../testbed/index.ts';
import { newFolder } from '../support/delivery-world.ts';
import { allowFileWrites, refuseFileWrites } from '../support/file-limit.ts';
import { canProtect, makeReadOnlyDisk } from '../support/read-only-disk.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';

const TOKEN = 'full-disk-token-0123456789';
const WAY_OUT = 'free some space, or move the data folder to a larger disk';
const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };
const POLL = { interval: 50 };
/**
 * More than are in flight at once, so that some still wait in memory when the disk fails; and as many as may wait there
 * for a destination that has proven nothing yet (D-26).
 */
const ACCEPTED = 16;

interface World {
  readonly router: RouterProcess;
  readonly receiver: Receiver;
  readonly folder: string;
  readonly post: (ids: readonly string[], padding?: string) => Promise<Response>;
  readonly makeSource: (slug: string) => Promise<Response>;
  readonly readyz: () => Promise<{ status: number; checks: Record<string, string> }>;
}

function flagsFor(folder: string) {
  return { port: '0', 'data-dir': folder, token: TOKEN, 'allow-networks': '127.0.0.0/8', 'retry-first-wait': '200ms' };
}

async function startWorld(folder: string, env: NodeJS.ProcessEnv = {}): Promise<World> {
  const receiver = await createReceiver({ script: 'delay:50ms x*' });
  onTestFinished(() => receiver.close());
  const router = await startRouterProcess(flagsFor(folder), { env });
  onTestFinished(() => router.kill());
  const { writeKey } = await connectWebhook(router.url, TOKEN, receiver.url);
  return {
    router,
    receiver,
    folder,
    post: (ids, padding = '') => {
      const properties = { padding };
      const batch = ids.map((messageId) => ({ type: 'track', userId: 'u1', event: 'Ordered', messageId, properties }));
      return fetch(`${router.url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
    },
    makeSource: (slug) => {
      const headers = AUTHORIZED;
      const body = JSON.stringify({ source: { name: `workspaces/main/sources/${slug}` } });
      return fetch(`${router.url}/v1beta/workspaces/main/sources`, { method: 'POST', headers, body });
    },
    readyz: async () => {
      const answer = await fetch(`${router.url}/readyz`);
      const { checks }: { checks: Record<string, string> } = JSON.parse(await answer.text());
      return { status: answer.status, checks };
    },
  };
}

function arrivedAt({ received }: Receiver): string[] {
  return received.map((request) => textOf(request, 'messageId') ?? '').toSorted();
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`).toSorted();
}

async function expectUnavailable(answer: Promise<Response>): Promise<void> {
  const { status, headers, text } = await answer.then(async (it) => ({ ...pick(it), text: await it.text() }));
  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
  expect(JSON.parse(text)).toMatchObject({ code: 14, error: expect.stringContaining('the store cannot write now') });
}

function pick({ status, headers }: Response): Pick<Response, 'status' | 'headers'> {
  return { status, headers };
}

/** The whole story of a disk that fails under a router at work, and recovers. Answers what readyz said meanwhile. */
async function endure(world: World, fail: () => void, recover: () => void): Promise<string[]> {
  const { router, receiver, post, makeSource, readyz } = world;
  expect(await readyz()).toEqual({ status: 200, checks: { 'delivery store': 'ok', 'config store': 'ok' } });
  const early = numbered('early', ACCEPTED);
  expect((await post(early)).status).toBe(200);
  fail();
  // Requests that share a commit all learn that it failed.
  await Promise.all(numbered('refused', 8).map((id) => expectUnavailable(post([id]))));
  await expectUnavailable(makeSource('refused'));
  // At once: who is answered 503 finds no router that says it is ready.
  expect((await readyz()).status).toBe(503);
  const { checks } = await readyz();
  expect(JSON.stringify(checks)).not.toContain(world.folder);
  expect((await fetch(`${router.url}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${router.url}/metrics`)).text()).toContain('\nwaybill_ready 0\n');
  // What was accepted goes on from memory.
  await expect.poll(() => arrivedAt(receiver), POLL).toEqual(early);

  recover();
  await expect.poll(async () => (await readyz()).status, POLL).toBe(200);
  const late = [...numbered('late', 5), ...numbered('refused', 8)];
  expect((await post(late)).status).toBe(200);
  expect((await makeSource('accepted')).status).toBe(200);
  const everything = [...early, ...late].toSorted();
  await expect.poll(() => arrivedAt(receiver), POLL).toEqual(everything);
  expect(await router.stop()).toBe(0);
  expect(router.written.stdout).toContain('rounds could not be recorded; trying again');
  const failures = router.written.stdout.split('\n').filter((line) => line.includes('request failed'));
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.filter((line) => line.includes('    at '))).toEqual([]);

  // What was delivered while nothing could be written was written down in the end: it is not sent again.
  await using next = await startRouterProcess(flagsFor(world.folder));
  const metrics = await (await fetch(`${next.url}/metrics`)).text();
  expect(metrics).toMatch(/^waybill_deliveries_unfinished\{state="pending"\} 0$/m);
  expect(metrics).toMatch(/^waybill_deliveries_in_flight 0$/m);
  expect(arrivedAt(receiver)).toEqual(everything);
  return Object.values(checks);
}

test('ING-10, D-41: a router whose disk breaks answers 503, and resumes by itself', async () => {
  const world = await startWorld(newFolder());
  const { pid } = world.router;
  const findings = await endure(
    world,
    () => refuseFileWrites(pid),
    () => allowFileWrites(pid),
  );
  expect(findings).toEqual(['it cannot write: disk I/O error', 'it cannot write: EFBIG: file too large']);
});

// A second means beside the one above, which works everywhere: a disk that is really full.
test.runIf(canMount())('ING-10, D-41: a router whose disk fills up answers 503, and resumes by itself', async () => {
  const disk = mountSmallDisk();
  const findings = await endure(await startWorld(join(disk.folder, 'data')), disk.fill, disk.free);
  const words = ['0.0 MB are left, and events leave 0.5 MB for everything else', 'ENOSPC: no space left on device'];
  expect(findings).toEqual(words.map((word) => `it cannot write: the disk is full (${word}): ${WAY_OUT}`));
});

test.runIf(canMount())(
  'ING-10, D-41: on a disk that events have filled, all else goes on: deliveries, the configuration, a restart',
  async () => {
    const disk = mountSmallDisk();
    const { router, receiver, folder, post, makeSource, readyz } = await startWorld(join(disk.folder, 'data'));
    const early = numbered('early', ACCEPTED);
    expect((await post(early)).status).toBe(200);
    disk.fill(450_000);
    const words = `it cannot write: the disk is full (0.4 MB are left, and events leave 0.5 MB for everything else): ${WAY_OUT}`;
    const isFull = { status: 503, checks: { 'delivery store': words, 'config store': 'ok' } };
    await expect.poll(readyz, { timeout: 3_000 }).toEqual(isFull);
    await expectUnavailable(post(['refused']));
    await expect.poll(() => arrivedAt(receiver), POLL).toEqual(early);
    expect((await makeSource('another')).status).toBe(200);
    expect(await router.stop()).toBe(0);
    expect(router.written.stdout).not.toContain('rounds could not be recorded');

    await using next = await startRouterProcess(flagsFor(folder));
    const metrics = await (await fetch(`${next.url}/metrics`)).text();
    expect(metrics).toMatch(/^waybill_deliveries_unfinished\{state="pending"\} 0$/m);
    expect((await fetch(`${next.url}/v1beta/workspaces/main/sources/another`, { headers: AUTHORIZED })).status).toBe(
      200,
    );
  },
);

test.runIf(canMount())(
  'SAFE-2: a workspace that has filled nearly all of the disk gets no more of it; others go on, and the router is ready',
  async () => {
    // Large enough for the log of the database to count little.
    const disk = mountSmallDisk(80);
    const { router, receiver, post, readyz } = await startWorld(join(disk.folder, 'data'));
    await createConfigClient({ baseUrl: router.url, token: TOKEN }).workspaces.create({ name: 'workspaces/small' });
    const small = await connect({ url: router.url, token: TOKEN, slug: 'js', hook: receiver.url, workspace: 'small' });
    const large = (batch: number) => post(numbered(`large${batch}.`, 15), 'x'.repeat(30_000));
    let batches = 0;
    while (batches < 500 && (await large(batches)).status === 200) batches += 1;
    expect(batches).toBeGreaterThan(100);
    await expectUnavailable(large(500));
    expect((await readyz()).status).toBe(200);
    const event = { type: 'track', userId: 'u1', event: 'Ordered', messageId: 'small1', writeKey: small };
    expect((await fetch(`${router.url}/v1/track`, { method: 'POST', body: JSON.stringify(event) })).status).toBe(200);
    await expect.poll(() => arrivedAt(receiver), POLL).toContain('small1');
    await router.stop();
    expect(router.written.stdout).toMatch(
      /workspaces\/main has \d\d\.\d MB of the disk, and the \d\.\d MB that are left/,
    );
  },
);

// A third: what Linux makes of a disk with errors.
test.runIf(canProtect())(
  'ING-10, D-41: a router whose data folder becomes read-only answers 503, and resumes by itself',
  async () => {
    const disk = makeReadOnlyDisk();
    const findings = await endure(await startWorld(disk.folder, disk.env), disk.protect, disk.unprotect);
    const words = ['disk I/O error', 'EROFS: read-only file system'];
    expect(findings).toEqual(words.map((word) => `it cannot write: ${word}`));
  },
);

test('a config folder that cannot be written stops changes alone, and resumes by itself', async () => {
  const { router, receiver, folder, post, makeSource, readyz } = await startWorld(newFolder());
  const [config, away] = [join(folder, 'config'), join(folder, 'away')];
  renameSync(config, away);
  await expectUnavailable(makeSource('refused'));
  const { headers } = await makeSource('refused');
  // D-9: when the token's requests are counted anew, and not when to try again.
  expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1);
  const { status, checks } = await readyz();
  expect({ status, ...checks }).toEqual({
    status: 503,
    'delivery store': 'ok',
    'config store': expect.stringContaining('ENOENT'),
  });
  expect((await post(['m1'])).status).toBe(200);
  await receiver.waitFor({ count: 1 });
  renameSync(away, config);
  await expect.poll(async () => (await readyz()).status, POLL).toBe(200);
  expect((await makeSource('accepted')).status).toBe(200);
  expect(await router.stop()).toBe(0);
});

test('a router that starts on a full disk says so in a line', async () => {
  const through = ['sh', '-c', 'ulimit -f 0; exec "$0" "$@"'];
  const folder = newFolder();
  const { code, stderr } = await runRouterProcess(flagsFor(folder), {}, { through });
  expect(code).toBe(1);
  expect(stderr).toContain(`the delivery store ${join(folder, 'deliveries.sqlite')} cannot be opened: `);
  expect(stderr).not.toContain('    at ');
});

// SQLite cannot make its index of the log at first; with room for that alone, it cannot write the log.
test.runIf(canMount()).each([
  { room: 0, words: 'disk I/O error' },
  { room: 40_960, words: 'database or disk is full' },
])('a router that starts on a full disk with its data names the folder and the way out ($words)', async (given) => {
  const disk = mountSmallDisk();
  const folder = join(disk.folder, 'data');
  const first = await startRouterProcess(flagsFor(folder));
  expect(await first.stop()).toBe(0);
  disk.fill(given.room);
  const { code, stderr } = await runRouterProcess(flagsFor(folder));
  expect(code).toBe(1);
  expect(stderr).toContain(folder);
  expect(stderr).toContain(`the disk is full (${given.words}): ${WAY_OUT}\n`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.runIf(canMount())(
  'a disk without inodes, which shows room, is told from a full one, and the way out',
  async () => {
    const disk = mountSmallDisk();
    const folder = join(disk.folder, 'data');
    const { router, makeSource, readyz } = await startWorld(folder);
    disk.takeInodes();
    const words = 'the disk can hold no more files, whatever room it has (no inodes are free): remove some';
    expect((await makeSource('refused')).status).toBe(503);
    expect((await readyz()).checks['config store']).toContain(words);
    expect(await router.stop()).toBe(0);
    const { code, stderr } = await runRouterProcess(flagsFor(folder));
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  },
);
