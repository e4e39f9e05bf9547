import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connectWebhook } from '../../../scripts/crash/connection.ts';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { migrateFolder } from '../../storage/file/migrate.ts';
import { databaseSource } from '../../storage/move/database-source.ts';
import { databaseTarget } from '../../storage/move/database-target.ts';
import { folderSource } from '../../storage/move/folder-source.ts';
import { folderTarget } from '../../storage/move/folder-target.ts';
import { type Moved, moveStorage } from '../../storage/move/move-storage.ts';
import type { MoveSource, MoveTarget, Using } from '../../storage/move/moving.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { author } from '../conformance/config-store-audit.ts';
import { source as configSource } from '../support/config-resources.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { describeWithPostgres, emptyPlace, postgresPlace } from '../support/postgres-place.ts';
import { portOf } from '../support/raw-receiver.ts';
import { readReleased, unpack } from '../support/released-folder.ts';
import { type StorageTold, storageTold } from '../support/storage-told.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

const COMMAND = fileURLToPath(new URL('../../../cli/waybill.ts', import.meta.url));
const TOKEN = 'move-storage-test-token-0123456789';
const PATIENT = { timeout: 60_000, interval: 100 };
const log = new RecordingLog();

/** What a released version left when it was killed: every kind of resource, and deliveries of every state; with entries of the audit. */
async function filledFolder(): Promise<string> {
  const folder = unpack(readReleased('0.1.0'));
  await migrateFolder(folder, log);
  const store = await openConfigStore({ folder: join(folder, 'config'), log });
  for (let number = 0; number < 100; number += 1) {
    const display_name = `name ${number}`;
    await store.update('workspaces', 'workspaces/main', (one) => ({ ...one, display_name }), author(display_name));
    const source = { ...configSource('main', `audited-${number}`) };
    await store.create('sources', source, undefined, undefined, author(display_name));
  }
  await store.close();
  return folder;
}

/** Of a copy: who opens a folder changes it. */
async function toldOf(place: string): Promise<StorageTold> {
  const isFolder = place.startsWith('file:');
  const copy = newFolder();
  if (isFolder) cpSync(place.slice('file:'.length), copy, { recursive: true });
  const storage = await openStorage(isFolder ? `file:${copy}` : place, log);
  try {
    return await storageTold(storage);
  } finally {
    await storage.close();
  }
}

/** Every file with the digest of its bytes; the index of SQLite's log is made by whoever looks. */
function bytesOf(folder: string): Record<string, string> {
  const names = globSync('**/*', { cwd: folder }).filter(
    (name) => statSync(join(folder, name)).isFile() && !name.endsWith('-shm') && !name.endsWith('-wal'),
  );
  return Object.fromEntries(names.toSorted().map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]));
}

/** Small pages, so that a small storage has many. */
const PAGE = 20;

function move(from: Using<MoveSource>, to: Using<MoveTarget>, writes = Infinity): Promise<Moved> {
  return from((source) => to((target) => moveStorage(source, dying(target, writes), PAGE)));
}

/** Ends as a killed process does, before one of its writes or before the last step. */
function dying(target: MoveTarget, writes: number): MoveTarget {
  let left = writes;
  const count = (): void => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    ...target,
    write: async (...values) => {
      count();
      await target.write(...values);
    },
    finish: async (resources) => {
      count();
      await target.finish(resources);
    },
  };
}

/** Goes on after each of the kills, each a few writes later; answers how often it was killed. */
async function moveWithKills(
  from: Using<MoveSource>,
  to: Using<MoveTarget>,
  onKill: () => Promise<void>,
): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    const ended = await move(from, to, 3).catch((error: unknown) => error);
    if (!(ended instanceof Error)) return kills;
    expect(ended.message).toBe('killed');
    if (kills % 5 === 0) await onKill();
  }
}

async function waybill(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = bareEnvironment();
  const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, stdout, stderr };
}

describeWithPostgres('moving a storage', () => {
  test('everything goes from a folder to PostgreSQL and back, and is the same', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [await filledFolder(), join(newFolder(), 'back')];
    const [before, bytes] = [await toldOf(`file:${folder}`), bytesOf(folder)];
    const there = await move(folderSource(folder, log), databaseTarget(place.url, log));
    expect(bytesOf(folder)).toEqual(bytes);
    for (const name of [
      'resources',
      'messages',
      'deliveries',
      'attempts',
      'replays',
      'replay_jobs',
      'counts',
      'message_ids',
    ])
      expect(there.counts[name], name).toBeGreaterThan(0);
    expect(await toldOf(place.url)).toEqual(before);
    const again = await move(databaseSource(place.url), folderTarget(back));
    expect(again.counts).toEqual(there.counts);
    expect(await toldOf(`file:${back}`)).toEqual(before);
  });

  test('what was accepted before is known as a duplicate, and new ids are behind the old ones', async () => {
    await using place = await emptyPlace();
    const receiver = await startReceiver();
    const { folder, writeKey } = await folderOfKilledRouter(receiver);
    const moved = await waybill('migrate-storage', '--from', `file:${folder}`, '--to', place.url, '--json');
    expect(moved).toMatchObject({ code: 0 });
    expect(JSON.parse(moved.stdout)).toMatchObject({ from: folder, counts: { deliveries: 3, messages: 3 } });
    receiver.isWell = true;
    await using router = await startRouterProcess({ ...FLAGS, storage: place.url });
    await expect.poll(() => receiver.taken.toSorted(), PATIENT).toEqual(['m0', 'm1', 'm2']);
    await send(router, writeKey, ['m0', 'm1', 'm2', 'new']);
    await expect.poll(() => receiver.taken, PATIENT).toContain('new');
    expect(receiver.taken.toSorted()).toEqual(['m0', 'm1', 'm2', 'new']);
    await router.stop();
    const back = join(newFolder(), 'back');
    const { code, stdout, stderr } = await waybill('migrate-storage', '--from', place.url, '--to', `file:${back}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}deliveries +4$/m);
    expect(stdout).toMatch(/^ {2}counted_values +0$/m);
    await using alone = await startRouterProcess({ ...FLAGS, 'data-dir': back });
    await send(alone, writeKey, ['m1', 'new', 'newest']);
    await expect.poll(() => receiver.taken, PATIENT).toContain('newest');
    expect(receiver.taken).toHaveLength(5);
    await alone.stop();
    await using third = await emptyPlace();
    expect(await waybill('migrate-storage', '--from', `file:${back}`, '--to', third.url)).toMatchObject({ code: 0 });
    await using last = await startRouterProcess({ ...FLAGS, storage: third.url });
    await send(last, writeKey, ['m2', 'newest', 'last']);
    await expect.poll(() => receiver.taken, PATIENT).toContain('last');
    expect(receiver.taken).toHaveLength(6);
  });

  test('a move that is killed at any moment goes on, and no router starts on half of it', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [await filledFolder(), newFolder()];
    const before = await toldOf(`file:${folder}`);
    const refused = (storage: string) => async (): Promise<void> =>
      expect(openStorage(storage, log)).rejects.toThrow('half-finished move');
    const there = [folderSource(folder, log), databaseTarget(place.url, log)] as const;
    expect(await moveWithKills(...there, refused(place.url))).toBeGreaterThan(3);
    expect(await toldOf(place.url)).toEqual(before);
    const here = [databaseSource(place.url), folderTarget(back)] as const;
    expect(await moveWithKills(...here, refused(`file:${back}`))).toBeGreaterThan(3);
    expect(await toldOf(`file:${back}`)).toEqual(before);
  });

  test('a half-finished move goes on only from the source that it was begun from, unchanged', async () => {
    await using place = await postgresPlace();
    const [folder, back] = [await filledFolder(), newFolder()];
    await expect(move(folderSource(folder, log), databaseTarget(place.url, log), 3)).rejects.toThrow('killed');
    const other = folderSource(await filledFolder(), log);
    await expect(move(other, databaseTarget(place.url, log))).rejects.toThrow('drop the schema, and begin anew');
    await expect(move(databaseSource(place.url), folderTarget(back))).rejects.toThrow('half-finished move');
    const used = await openStorage(`file:${folder}`, log);
    await used.members.join({ now: Date.now() });
    await used.close();
    const again = move(folderSource(folder, log), databaseTarget(place.url, log));
    await expect(again).rejects.toThrow(`or ${folder} was used since`);
  });

  test('a storage that a router uses is refused, on either side', async () => {
    await using place = await postgresPlace();
    await using folderRouter = await startRouterProcess({ ...FLAGS, 'data-dir': newFolder() });
    await folderRouter.stop();
    const folder = await filledFolder();
    const [used, living] = [await openStorage(`file:${folder}`, log), await openStorage(place.url, log)];
    try {
      await living.members.join({ now: Date.now() });
      const there = move(folderSource(folder, log), databaseTarget(place.url, log));
      await expect(there).rejects.toThrow(`another router uses ${folder}: stop it first`);
      await expect(move(databaseSource(place.url), folderTarget(newFolder()))).rejects.toThrow('stop them first');
      const other = folderSource(await filledFolder(), log);
      await expect(move(other, databaseTarget(place.url, log))).rejects.toThrow('stop them first');
    } finally {
      await Promise.all([used.close(), living.close()]);
    }
  });

  test('no router can begin to use a folder while it is moved', async () => {
    const folder = await filledFolder();
    const opened = folderSource(folder, log)(async () => openStorage(`file:${folder}`, log));
    await expect(opened).rejects.toThrow('another router uses it');
  });

  test('a target that holds anything is refused with the way out', async () => {
    await using place = await postgresPlace();
    const folder = await filledFolder();
    await move(folderSource(folder, log), databaseTarget(place.url, log));
    const twice = move(folderSource(folder, log), databaseTarget(place.url, log));
    await expect(twice).rejects.toThrow('is not empty: name another schema');
    const taken = newFolder();
    mkdirSync(join(taken, 'mine'));
    await expect(move(databaseSource(place.url), folderTarget(taken))).rejects.toThrow('name an empty or a new folder');
    await expect(waybill('migrate-storage', '--from', 'file:a', '--to', 'file:b')).resolves.toMatchObject({
      code: 1,
      stderr: 'waybill: both are storages of one kind: copy the folder instead\n',
    });
    await expect(waybill('migrate-storage', '--from', 'file:a')).resolves.toMatchObject({ code: 2 });
  });
});

const FLAGS = { port: '0', token: TOKEN, 'allow-networks': '127.0.0.0/8', 'rate-limit': '0' };

interface Receiver {
  url: string;
  readonly taken: string[];
  /** Until then it answers nothing. */
  isWell: boolean;
  asked: number;
}

async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', taken: [], isWell: false, asked: 0 };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.asked += 1;
      if (!receiver.isWell) return;
      receiver.taken.push(JSON.parse(body).messageId);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  receiver.url = `http://127.0.0.1:${portOf(server)}/`;
  return receiver;
}

/** Three events are being tried when the router is killed. */
async function folderOfKilledRouter(receiver: Receiver): Promise<{ folder: string; writeKey: string }> {
  const folder = newFolder();
  await using router = await startRouterProcess({ ...FLAGS, 'data-dir': folder });
  const { writeKey } = await connectWebhook(router.url, TOKEN, receiver.url);
  await send(router, writeKey, ['m0', 'm1', 'm2']);
  await expect.poll(() => receiver.asked, PATIENT).toBe(3);
  await router.kill();
  return { folder, writeKey };
}

async function send({ url }: RouterProcess, writeKey: string, ids: readonly string[]): Promise<void> {
  const batch = ids.map((messageId) => ({ type: 'track', event: 'E', userId: 'u', messageId }));
  const answer = await fetch(`${url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
  expect(answer.status).toBe(200);
}
