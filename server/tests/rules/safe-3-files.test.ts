import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectWebhook } from '../../../scripts/crash/connection.ts';
import { type RouterProcess, startRouterProcess } from '../../../scripts/router/router-process.ts';
import { newFolder } from '../support/delivery-world.ts';
import { isPossible } from '../support/possible.ts';
import { listening } from '../support/raw-receiver.ts';

const TOKEN = 'private-files-token-0123';
const POLL = { interval: 20 };
const TIGHTENED = 'others could read the data folder; only this user can now';
const LEFT_OPEN = 'others may read the data folder';

const flagsFor = (folder: string): Record<string, string> => ({
  port: '0',
  'data-dir': folder,
  token: TOKEN,
  'allow-networks': '127.0.0.0/8',
  retention: '1s',
});

/** As most users start a program: what it makes is readable by everybody, unless it sees to that itself. */
const CARELESS = { through: ['sh', '-c', 'umask 000; exec "$0" "$@"'] };

/** Every file and folder that somebody else could do anything with, with its mode. */
function openPlaces(folder: string): string[] {
  const places = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ];
  return places.flatMap((place) => {
    const mode = (statSync(place, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    return (mode & 0o077) === 0 ? [] : [`${mode.toString(8)} ${place}`];
  });
}

function linesWith(router: RouterProcess, words: string): number {
  return router.written.stdout.split('\n').filter((line) => line.includes(words)).length;
}

async function startRefusing(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(400).end());
  });
  return `http://127.0.0.1:${await listening(server)}/`;
}

/** Makes the router write all that it ever writes: configuration, events, attempts, a replay, the proof of `/readyz`. */
async function writeEverything(router: RouterProcess): Promise<void> {
  const destination = '/v1beta/workspaces/main/sources/crash/destinations/webhooks';
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const { writeKey } = await connectWebhook(router.url, TOKEN, await startRefusing());
  const batch = [{ type: 'track', userId: 'u1', event: 'Ordered', messageId: 'm1' }];
  await fetch(`${router.url}/v1/batch`, { method: 'POST', body: JSON.stringify({ writeKey, batch }) });
  const failed = async (): Promise<string> =>
    (await fetch(`${router.url}${destination}/deliveries?state=failed`, { headers })).text();
  await expect.poll(failed, POLL).toContain('"m1"');
  await fetch(`${router.url}${destination}/replays`, { method: 'POST', headers, body: '{}' });
  expect((await fetch(`${router.url}/readyz`)).status).toBe(200);
}

test('SAFE-3: whatever the umask, nothing that the router writes is open to others', async () => {
  const folder = join(newFolder(), 'made', 'by', 'the-router');
  await using router = await startRouterProcess(flagsFor(folder), CARELESS);
  await writeEverything(router);
  const names = readdirSync(folder);
  expect(names).toEqual(expect.arrayContaining(['config', 'deliveries.sqlite', 'deliveries.sqlite-wal']));
  expect(openPlaces(folder)).toEqual([]);
  await router.stop();
  expect(openPlaces(folder)).toEqual([]);
  expect(linesWith(router, TIGHTENED)).toBe(0);
});

test('the walk finds what is open', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'config'), 0o700);
  writeFileSync(join(folder, 'config', 'root.json'), '{}');
  chmodSync(join(folder, 'config', 'root.json'), 0o640);
  expect(openPlaces(folder)).toEqual([`640 ${join(folder, 'config', 'root.json')}`]);
});

test('SAFE-3: a start takes others the rights that they had, and says so once', async () => {
  const folder = newFolder();
  const first = await startRouterProcess(flagsFor(folder));
  await first.stop();
  for (const name of ['', 'config', 'config/root.json', 'deliveries.sqlite']) chmodSync(join(folder, name), 0o755);
  await using second = await startRouterProcess(flagsFor(folder), CARELESS);
  expect(openPlaces(folder)).toEqual([]);
  await second.stop();
  expect(linesWith(second, TIGHTENED)).toBe(1);
  await using third = await startRouterProcess(flagsFor(folder), CARELESS);
  await third.stop();
  expect(linesWith(third, TIGHTENED)).toBe(0);
});

test('SAFE-3: files of others are left alone, and so is the folder that they are in', async () => {
  const folder = newFolder();
  const theirs = join(folder, 'package.json');
  mkdirSync(join(folder, 'config'));
  writeFileSync(theirs, '{}');
  for (const place of [folder, join(folder, 'config'), theirs]) chmodSync(place, 0o755);
  await using router = await startRouterProcess(flagsFor(folder), CARELESS);
  await writeEverything(router);
  await router.stop();
  await using second = await startRouterProcess(flagsFor(folder), CARELESS);
  await second.stop();
  expect(openPlaces(folder).toSorted()).toEqual([`755 ${folder}`, `755 ${theirs}`]);
  expect(linesWith(second, LEFT_OPEN)).toBe(1);
});

// Only root can start a router as somebody else.
test.runIf(isPossible(process.getuid?.() === 0 && process.platform === 'linux', 'Linux, and root'))(
  'SAFE-3: a folder of another user is used, and said to be open',
  async () => {
    const folder = newFolder();
    chmodSync(folder, 0o777);
    const through = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    await using router = await startRouterProcess(flagsFor(folder), { through });
    await router.stop();
    expect(openPlaces(folder)).toEqual([`777 ${folder}`]);
    expect(linesWith(router, LEFT_OPEN)).toBe(1);
  },
);
