import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPossible } from '../../../server/tests/support/possible.ts';

const TESTBED = fileURLToPath(new URL('../../', import.meta.url));
const RECEIVER = `${process.execPath} ${TESTBED}command-line/receiver.ts`;

interface Language {
  readonly file: string;
  /** Whether this machine has what runs it. */
  readonly asks: readonly [string, ...string[]];
  readonly runs: readonly [string, ...string[]];
  readonly passed: RegExp;
  readonly failed: RegExp;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  pytest: {
    file: 'test_sender.py',
    asks: ['python3', '-m', 'pytest', '--version'],
    runs: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_sender.py'],
    passed: /2 passed/,
    failed: /1 failed, 1 passed/,
  },
  RSpec: {
    file: 'sender_spec.rb',
    asks: ['rspec', '--version'],
    runs: ['rspec', 'sender_spec.rb'],
    passed: /2 examples, 0 failures/,
    failed: /2 examples, 1 failure/,
  },
  Go: {
    file: 'sender_test.go',
    asks: ['go', 'version'],
    runs: ['go', 'test', '-count=1', '-v', './...'],
    passed: /--- PASS: TestTries[^]*--- PASS: TestGivesUp/,
    failed: /--- FAIL: TestTries[^]*--- PASS: TestGivesUp/,
  },
};

/** Where nothing is cached, Go compiles all of its library first, for a minute: without C, and functions as they are written, it is a third less. */
const GO_COMPILES_FAST = { CGO_ENABLED: '0', GOFLAGS: '-mod=mod -gcflags=all=-l' };

function ran([command, ...args]: Language['runs'], folder: string, receiver = RECEIVER) {
  const env = { ...process.env, ...GO_COMPILES_FAST, WAYBILL_RECEIVER: receiver, PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
  return { status, output: `${stdout}${stderr}` };
}

function folderWith(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-language-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(TESTBED, 'examples', file), join(folder, file));
  if (file.endsWith('.go')) writeFileSync(join(folder, 'go.mod'), 'module example.com/sender\n\ngo 1.22\n');
  return folder;
}

/** Nothing is skipped in CI, which installs them. */
const isHere = ({ asks: [command, ...args] }: Language): boolean =>
  isPossible(process.env['CI'] !== undefined || spawnSync(command, args).status === 0, [command, ...args].join(' '));

describe.each(Object.entries(LANGUAGES))('%s', (_name, language) => {
  const { file, runs, passed, failed } = language;

  test.skipIf(!isHere(language))(
    'the example passes with the receiver, and fails with one that expects another secret',
    () => {
      const folder = folderWith(file);
      const right = ran(runs, folder);
      expect(right.output).toMatch(passed);
      expect(right.status).toBe(0);
      const script = join(folder, 'receiver.sh');
      writeFileSync(script, `exec ${RECEIVER} $(echo "$@" | sed s/s3cret/another/)\n`);
      const wrong = ran(runs, folder, `sh ${script}`);
      expect(wrong.output).toMatch(failed);
      expect(wrong.status).not.toBe(0);
    },
  );
});
