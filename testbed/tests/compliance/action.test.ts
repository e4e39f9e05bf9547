import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';

const TESTBED = fileURLToPath(new URL('../../', import.meta.url));

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action: Action = parse(readFileSync(`${TESTBED}action/action.yml`, 'utf8'));
const { inputs, outputs, runs } = action;

/** A runner's folder, with the commands where the first step installs them. */
function runner() {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-action-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, 'waybill/node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['certify', 'receiver']) {
    const file = join(bin, `waybill-${name}`);
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${TESTBED}command-line/${name}.ts" "$@"\n`);
    chmodSync(file, 0o755);
  }
  for (const name of ['output', 'summary']) writeFileSync(join(folder, name), '');
  return { folder, text: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

/** As a runner does it: expressions are filled into the environment, and bash runs the step. */
async function runStep(name: string, folder: string, given: Readonly<Record<string, string>>) {
  const step = runs.steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  const env = Object.entries(step.env ?? {}).map(([variable, expression]) => {
    const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
    return [variable, given[input] ?? inputs[input]?.default ?? ''];
  });
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  const all = { ...process.env, ...Object.fromEntries(env), ...files, RUNNER_TEMP: folder };
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { cwd: folder, env: all });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, said };
}

test('the action is a composite one, and each step and expression in it is known', () => {
  expect(runs.using).toBe('composite');
  const ids = runs.steps.flatMap(({ id }) => id ?? []);
  for (const { shell, run, env = {}, if: condition } of runs.steps) {
    expect(shell).toBe('bash');
    // An expression within a script would let the one who writes an input run commands.
    expect(run).not.toContain('${{');
    for (const expression of [...Object.values(env), condition ?? 'inputs.run'])
      expect(Object.keys(inputs)).toContain(/inputs\.(\w+)/.exec(expression)?.[1]);
    expect(spawnSync('bash', ['-n', '-c', run], { encoding: 'utf8' }).stderr).toBe('');
  }
  for (const { value } of Object.values(outputs))
    expect(ids).toContain(/^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(value)?.[1]);
});

test(
  'certify fails the step when the receiver fails, with a summary and JUnit',
  { tags: ['broken-bodies'] },
  async () => {
    const { folder, text } = runner();
    const careless = createServer((request, response) => void request.resume().on('end', () => response.end()));
    await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      careless.closeAllConnections();
      await new Promise((resolve) => careless.close(resolve));
    });
    const address = careless.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks`;
    const { status, said } = await runStep('Certify', folder, { url, secret: 's3cret', junit: 'c.xml' });
    expect(status, said).toBe(1);
    expect(text('summary')).toMatch(/^### Webhook certificate\n\n {4}[^]*failed/);
    expect(text('summary')).not.toContain('s3cret');
    expect(text('output')).toBe('junit=c.xml\n');
    expect(text('c.xml')).toMatch(/failures="[1-9]/);
  },
);

test('receiver goes on after the step, and its addresses are outputs', async () => {
  const { folder, text } = runner();
  // The process is left to the job, which ends it; here it is stopped by its number.
  const { status, said } = await runStep('Start the receiver', folder, { secret: 's3cret', flags: '--script 503,200' });
  expect(status, said).toBe(0);
  const pid = Number(/process (\d+)/.exec(text('summary'))?.[1]);
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  const { url = '', control = '' } = Object.fromEntries(
    text('output')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(503);
  expect(await (await fetch(`${control}/v1/wait?count=1`)).json()).toMatchObject({ received: 1 });
});

test('a receiver that does not start, and a word that is none, fail with the reason', async () => {
  const { folder } = runner();
  const { status, said } = await runStep('Start the receiver', folder, { flags: '--script nonsense' });
  expect([status, said]).toEqual([1, expect.stringMatching(/^::error::the receiver did not start: .*nonsense/)]);
  const other = await runStep('Install', folder, { run: 'simulate' });
  expect(other).toEqual({ status: 2, said: "::error::run is 'simulate'; give certify or receiver\n" });
});
