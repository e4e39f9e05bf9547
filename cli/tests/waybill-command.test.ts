import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Command } from '../../server/cli/command.ts';
import { doctor } from '../../server/cli/doctor.ts';
import { migrate } from '../../server/cli/migrate.ts';
import { migrateStorage } from '../../server/cli/migrate-storage.ts';
import { restore } from '../../server/cli/restore.ts';
import { serve } from '../../server/cli/serve.ts';
import { token } from '../../server/cli/token.ts';

const COMMAND = fileURLToPath(new URL('../waybill.ts', import.meta.url));
const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  doctor,
  restore,
  migrate,
  'migrate-storage': migrateStorage,
  token,
};

function waybill(...args: readonly string[]) {
  const options = { encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], options);
  return { status, stdout, stderr };
}

test('waybill --help lists every command, and exits 0', () => {
  const { status, stdout, stderr } = waybill('--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const listed = [...stdout.matchAll(/^ {2}(\w[\w-]*)(?:\|\w+)?(?: \[.*?\])?(?: <.*?>)? +\w/gm)].map(
    ([, name]) => name,
  );
  expect(listed.slice(0, Object.keys(COMMANDS).length)).toEqual(Object.keys(COMMANDS));
  expect(listed).toEqual(expect.arrayContaining(['send', 'sources', 'destinations', 'deliveries', 'tracking-plans']));
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each(Object.entries(COMMANDS))(
  'the help of waybill %s names its exit codes, within 80 columns',
  (name, command) => {
    expect(command.name).toBe(name);
    for (const words of ['--help', 'Exit code: 0']) expect(command.help).toContain(words);
    expect(command.help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

test.each([
  [[], 'no command; "waybill --help" lists them'],
  [['sevre'], "unknown command 'sevre'\n(Did you mean serve?)"],
  [['serve', '--prot', '1'], '--prot is no flag; did you mean --port?'],
  [['serve', '--ports=1'], '--ports is no flag; did you mean --port?'],
  [['serve', '--nothing-like-it'], '--nothing-like-it is no flag; the flags are --host, --port, '],
  [['serve', 'now'], "Unexpected argument 'now'"],
  [['doctor', '--data-dri', 'x'], '--data-dri is no flag; did you mean --data-dir?'],
  [['token', 'list', '--jsno'], '--jsno is no flag; did you mean --json?'],
  [['migrate', '--chek'], '--chek is no flag; did you mean --check?'],
  [['migrate-storage', '--form', 'x'], '--form is no flag; did you mean --from?'],
  [['restore', 'x', '--jsno'], '--jsno is no flag; did you mean --json?'],
  [['serve', '--port', 'none'], '--port "none": must be an integer'],
  [['migrate-storage', '--from', './data', '--to', 'postgres://a@b/c'], '--from: must be file:<folder> or postgres://'],
  [['migrate-storage', '--from', 'file:a', '--to', 'postgres://b/c'], '--to: the storage names no user'],
  [['doctor', '--port', 'none'], '--port "none": must be an integer'],
])('waybill %j exits 2 with what is wrong', (args, words) => {
  const { status, stdout, stderr } = waybill(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`waybill: ${words}`);
});

test('waybill serve exits 1 where it cannot listen', () => {
  const { status, stderr } = waybill('serve', '--host', '192.0.2.1', '--data-dir', '/proc/none');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^waybill: 192\.0\.2\.1:8080 is not an address of this machine/);
});
