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
async function runStep(
  name: string,
  folder: string,
  given: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const step = runs.steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  const env = Object.entries(step.env ?? {}).map(([variable, expression]) => {
    const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
    return [variable, given[input] ?? inputs[input]?.default ?? ''];
  });
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  const all = { ...process.env, ...Object.fromEntries(env), ...files, RUNNER_TEMP: folder };
  const place = { GITHUB_ACTION_PATH: join(TESTBED, 'action'), ...environment };
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    cwd: folder,
    env: { ...all, ...place },
  });
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
  const given = { secret: 's3cret', scheme: 'github', flags: '--script "503, 200"' };
  const { status, said } = await runStep('Start the receiver', folder, given);
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

/** Prints what it was given, one argument per line, as the commands of the runner. */
function echoing(folder: string): void {
  for (const name of ['certify', 'receiver']) {
    const file = join(folder, `waybill/node_modules/.bin/waybill-${name}`);
    writeFileSync(file, `#!/bin/sh\nprintf '<%s>\\n' "$@"\n`, { mode: 0o755 });
  }
}

test.each([
  ['--header "X-GitHub-Event: push" --json', ['--header', 'X-GitHub-Event: push', '--json']],
  ['--header "X-GitHub-Event: push"\n--html c.html\n', ['--header', 'X-GitHub-Event: push', '--html', 'c.html']],
  ["--payload '{timestamp}.{body}'", ['--payload', '{timestamp}.{body}']],
  ['--id-field $(id)`id` *', ['--id-field', '$(id)`id`', '*']],
  ['', []],
])('the flags %j are split as a shell does, and run nothing', async (flags, wanted) => {
  const { folder } = runner();
  echoing(folder);
  const given = { url: 'u', secret: 's', junit: 'j', scheme: 'github', event: 'my event.json', flags };
  const { status, said } = await runStep('Certify', folder, given);
  const asked = ['--url', 'u', '--secret', 's', '--junit', 'j', ...wanted];
  expect([status, said.trim().split('\n')]).toEqual([
    0,
    [...asked, '--scheme', 'github', '--event', 'my event.json'].map((word) => `<${word}>`),
  ]);
});

test('a quote that is not closed fails the step, with the reason', async () => {
  const { folder } = runner();
  const { status, said } = await runStep('Certify', folder, { flags: '--header "X-Event: push' });
  expect([status, said]).toEqual([
    2,
    '::error::flags has a quote that is not closed in its line: --header "X-Event: push\n',
  ]);
});

/** Says what npm is asked for, and from which folder; what it packs has a name. */
const NPM = '#!/bin/sh\nif [ "$1" = pack ]; then echo packed.tgz; fi\necho "$PWD: npm $*" >> "$RUNNER_TEMP/npm"\n';

test.each([
  [
    '',
    (folder: string) => [
      `${folder}: npm run build receiver`,
      `${folder}: npm run build testbed`,
      `${folder}: npm pack --silent --pack-destination ${folder} ./testbed/dist`,
      `${folder}: npm install --prefix ${folder}/waybill --no-audit --no-fund ${folder}/packed.tgz`,
    ],
  ],
  [
    './kit.tgz',
    (folder: string) => [`${folder}: npm install --prefix ${folder}/waybill --no-audit --no-fund ./kit.tgz`],
  ],
])('with the package "%s", the action installs what is there', async (name, asked) => {
  const { folder, text } = runner();
  const bin = join(folder, 'bin');
  mkdirSync(join(folder, 'testbed/action'), { recursive: true });
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), NPM, { mode: 0o755 });
  const { status, said } = await runStep(
    'Install',
    folder,
    { run: 'certify', package: name },
    {
      PATH: `${bin}:${process.env['PATH']}`,
      GITHUB_ACTION_PATH: join(folder, 'testbed/action'),
      GITHUB_WORKSPACE: folder,
    },
  );
  expect(status, said).toBe(0);
  expect(text('npm').trim().split('\n')).toEqual(asked(folder));
});

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Used[] }>>;
}

interface Used {
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

/** Inputs, outputs and steps that a workflow names, and that are not there. */
function workflowFaults(text: string): readonly string[] {
  const workflow: Workflow = parse(text);
  return Object.values(workflow.jobs).flatMap(({ steps }) => {
    const own = steps.filter(({ uses = '' }) => uses.endsWith('/testbed/action'));
    const given = own.flatMap((step) => Object.keys(step.with ?? {}));
    const named = [...JSON.stringify(steps).matchAll(/steps\.(\w+)\.outputs\.(\w+)/g)];
    return [
      ...given.filter((input) => !(input in inputs)).map((input) => `no input ${input}`),
      ...named
        .filter(([, id, output = '']) => !own.some((step) => step.id === id) || !(output in outputs))
        .map(([words]) => `no ${words}`),
      ...own.filter((step) => !['certify', 'receiver'].includes(step.with?.['run'] ?? '')).map(() => 'nothing to run'),
    ];
  });
}

test('the example of a workflow uses the action as it is', () => {
  const text = readFileSync(`${TESTBED}examples/certify.yml`, 'utf8');
  const { jobs }: Workflow = parse(text);
  const asked = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((step) => step.with?.['run'] ?? []));
  expect(asked.toSorted()).toEqual(['certify', 'receiver']);
  expect(workflowFaults(text)).toEqual([]);
  expect(workflowFaults(text.replaceAll('secret:', 'sekret:'))).toEqual(['no input sekret', 'no input sekret']);
  expect(workflowFaults(text.replaceAll('outputs.url', 'outputs.address'))).toEqual([
    'no steps.receiver.outputs.address',
  ]);
});
