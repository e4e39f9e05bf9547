import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../../scripts/generate/root.ts';
import { OpenTerminal, runCommands } from '../../../scripts/readme/walk.ts';
import { bareEnvironment } from '../../../scripts/router/bare-environment.ts';
import { migrateFolder } from '../../storage/file/migrate.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { isPossible } from '../support/possible.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { type PostgresServer, startPostgres, hasPostgresProgram } from '../support/postgres-server.ts';
import { readReleased, unpack } from '../support/released-folder.ts';

const PAGE = readFileSync(join(ROOT, 'docs/postgresql.md'), 'utf8');
const [START = '', MOVE = ''] = blocks('sh');
const [ROLES = ''] = blocks('sql');
/** It stands in a sentence. */
const [MIGRATE = ''] = /npx waybill migrate --storage postgres:\/\/waybill_owner@…/.exec(PAGE) ?? [];

function blocks(language: string): string[] {
  return Array.from(PAGE.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g')), ([, block = '']) => block);
}

/** The commands of the clone, wherever one stands. */
const SHELL = `
export WAYBILL_PORT=0
npx() { "$@"; }
waybill() { '${process.execPath}' '${join(ROOT, 'cli/waybill.ts')}' "$@"; }
npm() { [ "$*" = start ] && exec '${process.execPath}' '${join(ROOT, 'server/main.ts')}'; }
`;

/** With the server of the test in the place of the reader's; what TLS asks for has tests of its own. */
function typed(commands: string, server: PostgresServer): string {
  const { host } = new URL(server.url());
  return commands
    .replaceAll(
      /(postgres:\/\/\w+)(?::<password>)?@db\.example\.com\/waybill(\?sslrootcert=[\w/.]+)?/g,
      `$1@${host}/waybill`,
    )
    .replaceAll(/(postgres:\/\/\w+)@…/g, `$1@${host}/waybill`);
}

describeWithPostgres('docs/postgresql.md', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    // As a database is that is in use: doctor fails where it does not wait for its disk.
    server = await startPostgres({ settings: { fsync: 'on', full_page_writes: 'on' } });
    return () => server.stop();
  });

  const asSuperuser = (sql: string, database = 'waybill'): void => {
    const to = ['-h', server.folder, '-p', String(server.port), '-U', server.user, '-d', database];
    execFileSync(join(server.bin, 'psql'), ['-v', 'ON_ERROR_STOP=1', '-q', ...to, '-c', sql], { stdio: 'pipe' });
  };

  test.runIf(isPossible(hasPostgresProgram('psql'), 'psql'))(
    'its commands make roles and tables, move a folder there, start a router, and move back',
    async () => {
      asSuperuser('CREATE DATABASE waybill', 'postgres');
      asSuperuser(ROLES);
      const folder = newFolder();
      cpSync(unpack(readReleased('0.1.0')), join(folder, 'data'), { recursive: true });
      await migrateFolder(join(folder, 'data'), new RecordingLog());
      const run = (commands: string): Promise<string> => runCommands(SHELL + typed(commands, server), folder);

      expect(await run(MIGRATE)).toMatch(/Migrated\.\n$/);
      expect(await run(MOVE)).toMatch(/^ *messages\W+\d+/m);

      const router = new OpenTerminal(SHELL + typed(START, server), bareEnvironment());
      onTestFinished(() => router.close());
      await router.shows(/"listening"/);
      expect(router.output).toMatch(/✓ database .*as waybill_router\n[^]* 0 failed\n/);
      const url = /"url":"([^"]+)"/.exec(router.output)?.[1] ?? '';
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      await router.close();

      const swapped = MOVE.replace(/--from (\S+) --to (\S+)/, '--from $2 --to file:./back');
      expect(await run(swapped)).toMatch(/^ *messages\W+\d+/m);
      expect(existsSync(join(folder, 'back'))).toBe(true);
    },
  );

  test('a command that the page shows and that fails is found', async () => {
    await expect(
      runCommands(SHELL + typed(MOVE.replace('file:./data', 'file:./none'), server), newFolder()),
    ).rejects.toThrow('ended with code');
  });
});

test('docs/postgresql.md has the commands that are typed here, and no other', () => {
  expect(blocks('sh')).toHaveLength(2);
  expect(blocks('sql')).toHaveLength(1);
  expect([START, MOVE, MIGRATE].filter((text) => !/waybill (doctor|migrate)/.test(text))).toEqual([]);
});
