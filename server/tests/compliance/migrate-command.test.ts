import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRouterProcess } from '../../../scripts/router/router-process.ts';
import { SCHEMA_VERSION } from '../../storage/file/deliveries/schema.ts';
import { fileOfFormat2 } from '../support/older-formats.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';

const COMMAND = fileURLToPath(new URL('../../../cli/waybill.ts', import.meta.url));
const TOKEN = 'migrate-command-test-0123456789';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function waybill(...args: readonly string[]) {
  const options = { encoding: 'utf8', env: bareEnvironment() } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args, '--data-dir', folder], options);
  return { status, stdout, stderr };
}

const startRouter = () => startRouterProcess({ port: '0', 'data-dir': folder, token: TOKEN });

async function folderOfFormat2(): Promise<string> {
  await (await startRouter()).stop();
  rmSync(join(folder, 'deliveries.sqlite'));
  return fileOfFormat2(folder);
}

test('a folder of an earlier format is brought to that of today, and a second time nothing is left to do', async () => {
  const file = await folderOfFormat2();
  expect(waybill('doctor', '--port', '0').stdout).toContain(`${file} has format 2`);
  const planned = waybill('migrate', '--dry-run');
  expect(planned).toMatchObject({ status: 0, stderr: '' });
  for (const words of [`${file}: format 2 to ${SCHEMA_VERSION}`, `${file}.format-2.backup`, 'Nothing was changed'])
    expect(planned.stdout).toContain(words);
  const { status, stdout } = waybill('migrate');
  expect(status).toBe(0);
  expect(stdout).toContain(`${file}: format 2 to ${SCHEMA_VERSION}\n`);
  expect(statSync(`${file}.format-2.backup`).mode & 0o777).toBe(0o600);
  using database = new DatabaseSync(file, { readOnly: true });
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION });
  expect(database.prepare('SELECT count(*) AS count FROM deliveries').get()).toEqual({ count: 3 });
  database.close();
  expect(waybill('migrate').stdout).toBe(`${folder} has today's format already\n`);
});

test('with --json what changed is an object', async () => {
  const file = await folderOfFormat2();
  expect(JSON.parse(waybill('migrate', '--json').stdout)).toEqual({
    folder,
    dry_run: false,
    files: [
      {
        file,
        from: 2,
        to: SCHEMA_VERSION,
        changes: expect.arrayContaining([expect.stringContaining('rounds')]),
        backup: `${file}.format-2.backup`,
        bytes: expect.any(Number),
      },
    ],
  });
});

test('a folder that a router uses is refused', async () => {
  await using router = await startRouter();
  const { status, stderr } = waybill('migrate');
  expect(status).toBe(1);
  expect(stderr).toContain(`another router uses ${folder}: stop it first`);
  expect((await fetch(`${router.url}/healthz`)).status).toBe(200);
});

test('a folder without data is refused, and left empty', () => {
  const { status, stderr } = waybill('migrate');
  expect(status).toBe(1);
  expect(stderr).toContain(`${folder} holds no data of a router`);
  expect(readdirSync(folder)).toEqual([]);
});
