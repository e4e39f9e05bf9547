/**
 * @module-tag broken-bodies
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSenderOptions } from '../../command-line/certify-sender/options.ts';
import { createReceiver } from '../../index.ts';
import { recordTo } from '../../recording/index.ts';
import { runReceiver } from '../support/command.ts';
import { type Block, blocksOf, PAGES } from '../support/doc-blocks.ts';
import { packedTestbed } from '../support/packed-testbed.ts';
import { event, post } from '../support/posting.ts';
import { packageOf, type UserProject, userProject } from '../support/user-project.ts';

const NEEDED = ['ajv', 'ajv-formats', 're2js', 'valibot', 'undici', 'ipaddr.js', 'picocolors', 'openapi-fetch'];
const TOOLS = ['vitest', 'msw', 'nock', 'fast-check'];

/** What stands around a block of TypeScript on its page: what it takes for granted, and what it claims. */
interface Around {
  readonly imports?: string;
  readonly before?: string;
  /** Put before the line that begins so. */
  readonly meanwhile?: readonly [line: string, code: string];
  readonly after?: string;
}

const SEND_THREE = `
  const body = exampleOf('track', { receivedAt: new Date().toISOString() });
  for (const pause of [0, 7_000, 15_000]) {
    vi.setSystemTime(Date.now() + pause);
    await fetch(receiver.url, webhookRequest(body, { secret: 's3cret' }));
  }
`;

/** By the beginning of the block. */
const TYPESCRIPT: Readonly<Record<string, Around>> = {
  'const script = [': {
    imports: "import { toScript } from '@waybill/testbed';",
    after: 'expect(toScript(script)).toEqual(toScript(same));',
  },
  'using endpoint = new MswEndpoint': {
    imports:
      "import { exampleOf, webhookRequest } from '@waybill/testbed'; import { MswEndpoint } from '@waybill/testbed/msw'; import { setupServer } from 'msw/node';",
    after: `
      await fetch(endpoint.url, webhookRequest(exampleOf('track'), { secret: 's3cret' }));
      expect(endpoint.received).toMatchObject([{ signature: { verdict: 'valid' } }]);
      server.close();`,
  },
  'import { deliveryMatchers }': {
    imports: "import { createReceiver, exampleOf, webhookRequest } from '@waybill/testbed';",
    before: "vi.useFakeTimers({ toFake: ['Date'] });",
    meanwhile: ['const [first]', SEND_THREE],
    after: 'expect(first.attempt).toBe(1); vi.useRealTimers();',
  },
  'exampleOf(': {
    imports:
      "import { exampleOf, webhookExamples, webhookRequest } from '@waybill/testbed'; import { anyEventOf } from '@waybill/testbed/contract';",
    before: "const [event, secret] = [exampleOf('track'), 's3cret'];",
    after: 'expect(webhookExamples()).toHaveLength(7);',
  },
  'const api = configApiHandlers();': {
    imports: "import { configApiHandlers } from '@waybill/testbed/msw';",
    after: "expect(await api.list('workspaces/main/sources')).toHaveLength(1);",
  },
  'const api = configApiHandlers({': { imports: "import { configApiHandlers } from '@waybill/testbed/msw';" },
  'import { createReceiver }': {
    meanwhile: [
      'const attempts',
      'for (const _ of [1, 2, 3]) await fetch(`${receiver.url}/hooks/a`, { method: \'POST\', body: \'{"type":"track"}\' });',
    ],
    after: 'expect(attempts).toHaveLength(3);',
  },
};

function testOf({ text }: Block, index: number): { readonly imports: string; readonly body: string } {
  const [, around = {}] = Object.entries(TYPESCRIPT).find(([beginning]) => text.startsWith(beginning)) ?? [];
  const lines = text.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const [marked = '', code = ''] = around.meanwhile ?? [];
  const body = lines
    .filter((line) => !line.startsWith('import '))
    .map((line) => (marked !== '' && line.startsWith(marked) ? `${code}\n${line}` : line));
  const parts = [around.before ?? '', ...body, around.after ?? ''];
  return {
    imports: [around.imports ?? '', ...imports].join('\n'),
    body: `test('block ${index}', async () => {\n${parts.join('\n')}\n});`,
  };
}

/** A name may be imported by several blocks, from one place. */
function fileOf(blocks: readonly Block[]): string {
  const tests = blocks.map(testOf);
  const named = tests.flatMap(({ imports }) => [...imports.matchAll(/import \{([^}]*)\} from '([^']+)'/g)]);
  const names = named.flatMap(([, list = '', from = '']) => list.split(',').map((name) => `${name.trim()} ${from}`));
  const lines = [...new Set(names)].map((each) => each.replace(/^(\w+) (.*)$/, "import { $1 } from '$2';"));
  return ["import { expect, test, vi } from 'vitest';", ...lines, ...tests.map(({ body }) => body)].join('\n');
}

function projectOf(): UserProject {
  const { unpacked } = packedTestbed();
  const project = userProject(unpacked, [...NEEDED, ...TOOLS, '@types/node']);
  onTestFinished(() => project[Symbol.dispose]());
  const bin = join(project.folder, 'node_modules/.bin');
  mkdirSync(bin);
  for (const name of ['waybill-certify', 'waybill-certify-sender', 'waybill-receiver', 'waybill-simulate'])
    symlinkSync(`../@waybill/testbed/bin/${name}.js`, join(bin, name));
  symlinkSync(join(packageOf('current', 'vitest'), 'vitest.mjs'), join(bin, 'vitest'));
  symlinkSync(process.execPath, join(bin, 'node'));
  return project;
}

/** As somebody types it in the folder of the project; npx takes what is installed. */
function type({ folder }: UserProject, commands: string) {
  const env = { ...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` };
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', commands], { cwd: folder, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** The same while this process goes on answering. */
async function typeBeside({ folder }: UserProject, commands: string): Promise<{ readonly output: string }> {
  const env = { ...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` };
  const child = spawn('bash', ['-ec', commands], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  return { output };
}

const all = PAGES.flatMap((page) => blocksOf(page)).filter(({ isWalked }) => !isWalked);
const shell = all.filter(({ language }) => language === 'sh');

test('every block of TypeScript in the pages of the testbed runs as it is written', () => {
  const blocks = all.filter(({ language }) => language === 'ts');
  const beginnings = Object.keys(TYPESCRIPT);
  const unknown = blocks.filter(({ text }) => beginnings.filter((each) => text.startsWith(each)).length !== 1);
  expect(unknown.map(({ page, text }) => `${page}: ${text}`)).toEqual([]);
  expect(blocks).toHaveLength(beginnings.length);
  const project = projectOf();
  writeFileSync(join(project.folder, 'blocks.test.ts'), fileOf(blocks));
  const { status, output } = type(project, 'npx vitest run');
  expect(output).toMatch(new RegExp(`Tests .*${blocks.length} passed`));
  expect(status).toBe(0);
});

/** The commands of each block, by how it begins; each proves what the page says of it. */
const SHELL: Readonly<Record<string, (text: string) => Promise<void> | void>> = {
  // These two need a registry: what they lead to is the project that the others run in.
  'npm run build testbed': (text) => expect(text).toContain('npm pack ./testbed/dist'),
  'npm init': (text) => {
    const [init = '', install = ''] = text.split('\n');
    const project = projectOf();
    expect(type(project, `rm package.json; ${init}`).status).toBe(0);
    const { version }: { version: string } = JSON.parse(
      readFileSync(join(packedTestbed().unpacked, 'package.json'), 'utf8'),
    );
    expect(install).toContain(`../waybill/waybill-testbed-${version}.tgz`);
  },
  'cp node_modules': (text) => {
    const { status, output } = type(projectOf(), text);
    expect([status, output]).toEqual([0, expect.stringMatching(/Tests .*2 passed/)]);
  },
  'npx waybill-receiver --port 9000': async () => {
    await using command = runReceiver('--port', '0');
    await command.until(/page +http:\/\/127\.0\.0\.1:\d+\/#token=/);
  },
  'npx waybill-simulate': (text) => {
    const { status, output } = type(projectOf(), text);
    expect([status, output]).toEqual([0, expect.stringContaining('invariants')]);
  },
  'npx waybill-receiver redact': async (text) => {
    const project = projectOf();
    await using receiver = await createReceiver({ secret: 's3cret' });
    const recording = await recordTo(receiver, join(project.folder, 'requests.jsonl'));
    await post(receiver.url, event('track'), { Authorization: 'Bearer s3cret' });
    await recording.close();
    const { status, output } = type(project, text);
    // What was redacted is no difference of the sender.
    expect([status, output]).toEqual([0, expect.not.stringContaining('s3cret')]);
    expect(existsSync(join(project.folder, 'fixture.jsonl'))).toBe(true);
  },
  'npx waybill-certify --url': async (text) => {
    const project = projectOf();
    await using receiver = await createReceiver({ secret: 'whsec_0123', scheme: 'stripe' });
    writeFileSync(join(project.folder, 'invoice.json'), '{"id":"evt_1","type":"invoice.paid"}');
    const port = new URL(receiver.url).port;
    const { output } = await typeBeside(project, text.replace('3000', port).replace('whsec_…', 'whsec_0123'));
    // This receiver answers 200 to everybody, and the certificate says so.
    expect(output).toMatch(/\d+ passed,.* \d+ failed/);
  },
  // It goes on for minutes, against a sender of one's own: that its flags are understood is what can be seen.
  'npx waybill-certify-sender': (text) => {
    const words = text.replaceAll('\\\n', ' ').match(/'[^']*'|\S+/g) ?? [];
    const flags = words.slice(2).map((word) => word.replaceAll("'", '').replace('whsec_…', 'whsec_MDEyMw=='));
    expect(readSenderOptions(flags)).not.toBe('help');
  },
};

test.each(shell.map(({ page, text }) => [page, text.split('\n')[0], text] as const))(
  'docs/%s: %s',
  async (_page, _line, text) => {
    const found = Object.keys(SHELL).filter((beginning) => text.startsWith(beginning));
    // `npx waybill-certify --url` begins as no other.
    expect(found).toHaveLength(1);
    await SHELL[found[0] ?? '']?.(text);
  },
);

test('no block of the pages is of a language that nothing runs', () => {
  expect(all.filter(({ language }) => language !== 'ts' && language !== 'sh')).toEqual([]);
  expect(shell).toHaveLength(Object.keys(SHELL).length);
});

test('a block that nobody runs is found', () => {
  const [block] = blocksOf('x.md', 'Text.\n\n```py\nprint()\n```\n');
  expect(block).toMatchObject({ language: 'py', isWalked: false });
  expect(blocksOf('x.md', '<!-- walk: shell -->\n```sh\nls\n```\n')).toMatchObject([{ isWalked: true }]);
});
