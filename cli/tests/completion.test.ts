import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/generate/root.ts';
import { bareEnvironment } from '../../scripts/router/bare-environment.ts';
import { isPossible } from '../../server/tests/support/possible.ts';

const COMMAND = join(ROOT, 'cli/waybill.ts');

function complete(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'complete', ...args], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

test.each(['bash', 'zsh', 'fish'])('waybill complete %s prints a script that asks waybill', (shell) => {
  expect(complete(shell)).toContain('waybill complete --');
});

/** Before Tab is pressed. */
const WORDS = 'waybill destinations rot';

interface Shell {
  /** What the shell reads the script with; CI installs it. */
  readonly needs: string;
  /** Where the documented command puts the script, below the home. */
  readonly puts: string;
  readonly interactive: string;
  /** Before the documented command, and before anything is typed. */
  readonly finds: string;
  readonly loads: string;
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    needs: '/usr/share/bash-completion/bash_completion',
    puts: '.local/share/bash-completion/completions/waybill',
    interactive: 'bash --norc -i',
    finds: '',
    loads: 'source /usr/share/bash-completion/bash_completion',
  },
  zsh: {
    needs: '/usr/bin/zsh',
    puts: 'functions/_waybill',
    interactive: 'zsh -f -i',
    finds: 'fpath=(~/functions $fpath)',
    loads: 'fpath=(~/functions $fpath); autoload -U compinit; compinit -u -D',
  },
  fish: {
    needs: '/usr/bin/fish',
    puts: '.config/fish/completions/waybill.fish',
    interactive: '',
    finds: '',
    loads: '',
  },
};

describe.each(Object.entries(SHELLS))('%s', (name, shell) => {
  test.runIf(isPossible(process.env['CI'] !== undefined || existsSync(shell.needs), shell.needs))(
    `${name} completes words of waybill with the script that the documented command writes`,
    async () => {
      const env = homeFor(shell);
      const command = documented(name);
      const written = spawnSync(name, ['-c', `${shell.finds}\n${command}`], { env, encoding: 'utf8' });
      expect(written).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(join(env.HOME, shell.puts), 'utf8')).toContain('waybill complete --');
      expect(await completed(name, shell, env)).toContain('rotate-secret');
    },
  );
});

interface Home extends NodeJS.ProcessEnv {
  readonly HOME: string;
}

/** Of somebody who has the command, and whose shell has looked for scripts before. */
function homeFor({ puts }: Shell): Home {
  const HOME = mkdtempSync(join(tmpdir(), 'waybill-completion-'));
  onTestFinished(() => rmSync(HOME, { recursive: true, force: true }));
  mkdirSync(join(HOME, 'bin'));
  writeFileSync(join(HOME, 'bin/waybill'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`, {
    mode: 0o755,
  });
  if (!puts.startsWith('.local')) mkdirSync(join(HOME, dirname(puts)), { recursive: true });
  return {
    ...bareEnvironment({ PATH: `${join(HOME, 'bin')}:${process.env['PATH']}`, TERM: 'dumb', HISTFILE: '' }),
    HOME,
  };
}

/** The lines of the page for one shell. */
function documented(shell: string): string {
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  const lines = page.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`waybill complete ${shell} `));
  expect(at).toBeGreaterThan(0);
  return [lines[at - 1]?.startsWith('mkdir') === true ? lines[at - 1] : '', lines[at]].join('\n');
}

/** What stands after the words once Tab was pressed. */
async function completed(name: string, { interactive, loads }: Shell, env: Home): Promise<string> {
  if (interactive === '') {
    const { stdout } = spawnSync(name, ['-c', `complete -C "${WORDS}"`], { env, encoding: 'utf8' });
    return stdout;
  }
  // A terminal of its own, in which somebody types.
  const terminal = spawn('script', ['-qefc', interactive, '/dev/null'], { env, cwd: env.HOME });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  let shown = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  terminal.stdin.write(`${loads}; PS1='READ''Y> '\n`);
  await expect.poll(() => shown).toContain('READY> ');
  terminal.stdin.write(`${WORDS}\t`);
  await expect.poll(() => shown).toMatch(/rot\S/);
  // Without its terminal the shell ends.
  const closed = once(terminal, 'close');
  terminal.kill('SIGKILL');
  await closed;
  return shown;
}

test.each([
  [['des'], ['destinations']],
  [['destinations', 'ro'], ['rotate-secret']],
  [['destinations', 'update', 'a/b', '--ena'], ['--enabled']],
  [
    ['deliveries', 'list', '--state', ''],
    ['pending', 'delivered', 'expired'],
  ],
  [['serve', '--retry'], ['--retry-first-wait']],
  [['migrate', '--dr'], ['--dry-run']],
])('after %j come %j', (words, expected) => {
  const offered = complete('--', ...words)
    .split('\n')
    .map((line) => line.split('\t')[0]);
  expect(offered).toEqual(expect.arrayContaining(expected));
});
