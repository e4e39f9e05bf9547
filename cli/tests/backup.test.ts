import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connectWebhook } from '../../scripts/crash/connection.ts';
import { type RouterProcess, startRouterProcess } from '../../scripts/router/router-process.ts';
import { restore } from '../../server/cli/restore.ts';
import { restoreArchive } from '../../server/storage/archive/restore.ts';
import { canMount, mountSmallDisk } from '../../server/tests/support/small-disk.ts';
import { createReceiver, type Receiver, textOf } from '../../testbed/index.ts';
import { connectedTo, objectsIn } from './support/command-line.ts';

const TOKEN = 'command-line-backup-0123456789';
const WAYBILL = fileURLToPath(new URL('../waybill.ts', import.meta.url));

function newPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function startRouter(folder: string): Promise<RouterProcess> {
  return startRouterProcess({ port: '0', 'data-dir': folder, token: TOKEN, 'allow-networks': '127.0.0.0/8' });
}

function idsAt({ received }: Receiver): Set<string> {
  return new Set(received.map((request) => textOf(request, 'messageId') ?? ''));
}

/** Posts batches one after another until told to stop; what was answered 200 is in `accepted`. */
function load(url: string, writeKey: string) {
  const accepted = new Set<string>();
  const over = new AbortController();
  const post = async (sender: number): Promise<void> => {
    for (let round = 0; !over.signal.aborted; round += 1) {
      const ids = Array.from({ length: 20 }, (_, index) => `${sender}-${round}-${index}`);
      const batch = ids.map((messageId) => ({ type: 'track', userId: 'u1', event: 'Ordered', messageId }));
      const answer = await fetch(`${url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
      if (answer.ok) for (const id of ids) accepted.add(id);
    }
  };
  const ended = Promise.all([1, 2, 3].map(post));
  return { accepted, stop: async () => (over.abort(), void (await ended)) };
}

test('ING-10, NODE-8: a backup under load has all that was accepted before it began, and restored it is delivered', async () => {
  await using opened = new AsyncDisposableStack();
  const place = newPlace();
  const receiver = await createReceiver({ script: '200x*' });
  opened.defer(() => receiver.close());
  const router = opened.use(await startRouter(join(place, 'data')));
  const { writeKey } = await connectWebhook(router.url, TOKEN, receiver.url);
  const { accepted, stop } = load(router.url, writeKey);
  await expect.poll(() => accepted.size).toBeGreaterThan(500);

  const [before, file] = [new Set(accepted), join(place, 'saved.tar')];
  const waybill = connectedTo(router.url, TOKEN);
  expect(await waybill('backup', file)).toMatchObject({ status: 0, stderr: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const during = accepted.size;
  await expect.poll(() => accepted.size).toBeGreaterThan(during);
  await stop();
  // The lock of the folder outlives the backup.
  await expect(startRouter(join(place, 'data'))).rejects.toThrow('another router uses it');
  await router.kill();

  const restored = join(place, 'restored');
  expect(await restore.run([file, '--data-dir', restored])).toBe(0);
  expect(readdirSync(restored).toSorted()).toEqual(['config', 'deliveries.sqlite']);
  const second = opened.use(await startRouter(restored));
  const list = await connectedTo(second.url, TOKEN)('deliveries', 'list', 'crash/webhooks', '--json');
  const kept = new Set(objectsIn(list.stdout).map((delivery) => delivery['message_id']));
  expect([...before].filter((id) => !kept.has(id))).toEqual([]);
  await expect.poll(() => [...before].filter((id) => !idsAt(receiver).has(id)), { timeout: 20_000 }).toEqual([]);
  expect(await second.stop()).toBe(0);
});

test('NODE-8: a backup that nobody reads to its end leaves the router as it was, and another one can be made', async () => {
  await using opened = new AsyncDisposableStack();
  const place = newPlace();
  const router = opened.use(await startRouter(join(place, 'data')));
  const waybill = connectedTo(router.url, TOKEN);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const first = await fetch(`${router.url}/v1beta/backup`, { headers });
  await first.body?.cancel();
  await expect.poll(async () => (await waybill('backup', join(place, 'one.tar'), '--json')).status).toBe(0);
  const file = join(place, 'one.tar');
  expect(await waybill('backup', file)).toMatchObject({ status: 1, stderr: expect.stringContaining('exists') });
  // A folder that is missing is told, and no draft is left anywhere.
  expect(await waybill('backup', join(place, 'none/two.tar'))).toMatchObject({ status: 1 });
  expect(readdirSync(place).toSorted()).toEqual(['data', 'one.tar']);
});

test.runIf(canMount())(
  'NODE-8: a backup that finds its disk full names the file and the way out, and leaves nothing',
  async () => {
    await using router = await startRouter(join(newPlace(), 'data'));
    const disk = mountSmallDisk();
    disk.fill();
    const file = join(disk.folder, 'saved.tar');
    const { status, stderr } = await connectedTo(router.url, TOKEN)('backup', file);
    expect(status).toBe(1);
    const words = 'the disk is full (ENOSPC: no space left on device): free some space, or name a file on another disk';
    expect(stderr).toContain(`${file} was not saved: ${words}`);
    expect(existsSync(`${file}.part`)).toBe(false);
  },
);

/** A backup of a router that is stopped then, with the place that it is in. */
async function someBackup(): Promise<{ readonly place: string; readonly file: string }> {
  const place = newPlace();
  await using router = await startRouter(join(place, 'data'));
  const file = join(place, 'saved.tar');
  await connectedTo(router.url, TOKEN)('backup', file);
  return { place, file };
}

test('SAFE-3: a backup is private, whatever has the name that it has until it is whole', async () => {
  const place = newPlace();
  await using router = await startRouter(join(place, 'data'));
  const [left, linked, elsewhere] = [join(place, 'left.tar'), join(place, 'linked.tar'), join(place, 'elsewhere')];
  writeFileSync(`${left}.part`, 'of a backup that was killed', { mode: 0o644 });
  writeFileSync(elsewhere, 'of somebody else');
  symlinkSync(elsewhere, `${linked}.part`);
  for (const file of [left, linked]) {
    expect(await connectedTo(router.url, TOKEN)('backup', file)).toMatchObject({ status: 0 });
    const found = lstatSync(file);
    expect([found.isFile(), found.mode & 0o777]).toEqual([true, 0o600]);
  }
  expect(readFileSync(elsewhere, 'utf8')).toBe('of somebody else');
});

test('NODE-8: what is cut off or damaged is not restored, and the folder stays as it was', async () => {
  const { place, file } = await someBackup();
  const [folder, whole] = [join(place, 'restored'), readFileSync(file)];
  for (const [bytes, words] of [
    [whole.subarray(0, -2_000), 'cut off before its end'],
    [whole.subarray(0, 700), 'cut off before its end'],
    [Buffer.from(whole).fill(1, 9_000, 9_001), 'damaged'],
    [Buffer.from('no archive'.repeat(100)), 'it is no backup'],
  ] as const) {
    writeFileSync(file, bytes);
    expect(() => restoreArchive(file, folder)).toThrow(words);
    expect(existsSync(folder)).toBe(false);
  }
  truncateSync(file);
});

test('NODE-8: no router starts on a restore that was killed, also before the delivery store was begun', async () => {
  const { place, file } = await someBackup();
  const [pipe, folder, whole] = [join(place, 'pipe'), join(place, 'restored'), readFileSync(file)];
  execFileSync('mkfifo', [pipe]);
  const restoring = spawn(process.execPath, [WAYBILL, 'restore', pipe, '--data-dir', folder], { stdio: 'ignore' });
  await using writing = await open(pipe, 'w');
  await writing.writeFile(whole.subarray(0, whole.indexOf('deliveries.sqlite')));
  await expect.poll(() => existsSync(join(folder, 'config/root.json')), { timeout: 20_000 }).toBe(true);
  restoring.kill('SIGKILL');
  await once(restoring, 'exit');
  await expect(startRouter(folder)).rejects.toThrow('has a half-finished move, or restore of a backup');
  expect(() => restoreArchive(file, folder)).toThrow(/is not empty \(config, deliveries.sqlite.moving\)/);
});

test('NODE-8: a folder that is used, or that holds anything, is refused with the way out', async () => {
  const { place, file } = await someBackup();
  const folder = join(place, 'data');
  expect(() => restoreArchive(file, folder)).toThrow(
    /is not empty \(.*\): restore into an empty folder, with --data-dir/,
  );
  await using router = await startRouter(folder);
  expect(() => restoreArchive(file, folder)).toThrow(`a router uses ${folder}: stop it first`);
  expect(await router.stop()).toBe(0);
});

test('NODE-8: a token that is bound to a workspace gets no backup', async () => {
  const place = newPlace();
  await using router = await startRouter(join(place, 'data'));
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const access_token = { description: 'bound', scopes: 'workspace', workspace_names: ['workspaces/main'] };
  const body = JSON.stringify({ access_token });
  const made = await fetch(`${router.url}/v1beta/access-tokens`, { method: 'POST', headers, body });
  const { token }: { token: string } = JSON.parse(await made.text());
  const file = join(place, 'saved.tar');
  expect(await connectedTo(router.url, token)('backup', file)).toMatchObject({ status: 1 });
  expect(existsSync(file)).toBe(false);
});
