import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { HELP, wantsHelp } from '../../settings/settings-help.ts';
import { SETTINGS } from '../../settings/settings.ts';

test.each([['server/main.ts'], ['cli/waybill.ts', 'serve'], ['cli/waybill.ts', 'doctor']])(
  '%s %s --help prints its flags, and exits 0',
  (script, ...args) => {
    const file = fileURLToPath(new URL(`../../../${script}`, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args, '--help'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const words of ['--allow-networks <blocks>', '--help', 'Exit code: 0']) expect(stdout).toContain(words);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

test('the help of the router names every setting with its default, and no other', () => {
  const told = [...HELP.matchAll(/^ {2}--([\w-]+) +<[\s\S]*?default\s+([^\s;]+)/gm)];
  const standards = Object.values(SETTINGS).map(({ flag, standard }) => [flag, standard]);
  const none = {
    '--data-dir': 'none',
    '--secret-keys': 'none',
    '--secret-keys-file': 'none',
    '--egress-proxy': 'none',
    '--allow-networks': 'none',
    '--trusted-proxies': 'none',
    '--public-url': 'none',
    '--tls-cert': 'none',
    '--tls-key': 'none',
  };
  const words = { '--token': 'one', ...none };
  expect(told.map(([, flag, standard]) => [flag, standard])).toEqual(
    standards.map(([flag, standard]) => [
      flag,
      Object.entries(words).find(([name]) => name === `--${flag}`)?.[1] ?? standard,
    ]),
  );
});

test('help is asked for in two ways, and not by a value', () => {
  expect([['--help'], ['--port', '1', '-h'], ['--port=--help'], []].map(wantsHelp)).toEqual([true, true, false, false]);
});
