import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { walkOf } from './doc-walk.ts';
import { freePort } from '../check/free-port.ts';
import { OpenTerminal, runCommands } from './walk.ts';

/** Files that the commands of docs/certify.md write where they are typed. */
const WRITTEN = /(?<![\w/.-])(certificate\.\w+|public-key\.pem|key\.pem|parts)(?![\w-])/g;

/** Runs `use` with a folder for what the commands write. */
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-docs-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the walk of docs/receiver.md works as it is written', async () => {
  await inFolder(async (folder) => {
    const [port, control] = [await freePort(), await freePort()];
    const walk = walkOf('receiver.md', {
      9000: String(port),
      9001: String(control),
      'requests.jsonl': join(folder, 'requests.jsonl'),
      'requests.har': join(folder, 'requests.har'),
    });
    const receiver = new OpenTerminal(walk.receiver, process.env);
    try {
      await receiver.shows(/Ctrl-C/);
      const output = await runCommands(walk.shell, folder);
      expect(output).toContain('"received":3');
      expect(output).toContain('"script":"429+retry-after:30s,200"');
      await receiver.shows(/#3 +✓ valid +200 /);
      await receiver.shows(/reset: what came is forgotten/);
      // One of the three is answered 429 now, so not all were taken.
      await expect(runCommands(walk.later, ROOT)).rejects.toThrow('3 sent, 2 answered 2xx');
      expect(existsSync(join(folder, 'requests.har'))).toBe(true);
    } finally {
      await receiver.close();
    }
  });
});

test('the walk of docs/certify.md works as it is written', async () => {
  await inFolder(async (folder) => {
    const port = String(await freePort());
    const walk = walkOf('certify.md', { 3000: port });
    const receiver = new OpenTerminal(walk.receiver, { ...process.env, PORT: port });
    try {
      await runCommands(`until curl -s -o /dev/null http://127.0.0.1:${port}/; do :; done`, folder);
      const output = await runCommands(walk.shell.replaceAll(WRITTEN, `${folder}/$1`), ROOT);
      expect(output).toContain('46 passed, 0 failed.');
      expect(output).toMatch(/All 8 were accepted.*, and handled once/);
      expect(output).toContain('It was made with the key that you trust');
      expect(output.match(/Signature Verified Successfully/g)).toHaveLength(1);
    } finally {
      await receiver.close();
    }
  });
});

test('what the docs write where they are typed is no change of the project', () => {
  const certificate = ['html', 'xml', 'json'].map((end) => `certificate.${end}`);
  const statement = ['key.pem', 'public-key.pem', 'parts/statement.sig'];
  const packed = ['waybill-testbed-0.1.0.tgz', 'waybill-client-0.1.0.tgz', 'testbed/dist/package.json'];
  const files = [...certificate, ...statement, ...packed, 'requests.jsonl', 'requests.har', 'source.json'];
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...files], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout.trimEnd().split('\n')).toEqual(files);
  const sources = ['README.md', 'testbed/certify/certificate-page.ts', 'testbed/certify/statement.ts'];
  expect(spawnSync('git', ['check-ignore', '--no-index', ...sources], { cwd: ROOT, encoding: 'utf8' }).stdout).toBe('');
});
