import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/generate/root.ts';
import { runCommands } from '../../scripts/readme/walk.ts';
import { startRouterProcess } from '../../scripts/router/router-process.ts';
import { portOf } from '../../server/tests/support/raw-receiver.ts';
import { SEGMENT_TOKEN, startSegmentService } from './support/segment-service.ts';

const TOKEN = 'documented-commands-0123456789';

/** Pages that tests of their own read, and type as they stand there. */
const TYPED_ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'scripts/readme/walk.ts',
  'docs/client/node.md': 'client/tests/compliance/documented-commands.test.ts',
  'docs/client/package.md': 'client/tests/compliance/documented-commands.test.ts',
  'docs/certify.md': 'scripts/readme/doc-walk.test.ts',
  'docs/install.md': 'cli/tests/fresh-machine.test.ts',
  'docs/postgresql.md': 'server/tests/postgres/documented-commands.test.ts',
  'docs/receiver.md': 'scripts/readme/doc-walk.test.ts',
};

/**
 * Commands of pages that need a registry, or more than a machine of tests has, beside those that are typed: which test does
 * the same, and by which words; or where the page says that they are not run.
 */
const SAME_ELSEWHERE: Readonly<Record<string, readonly (readonly [command: RegExp, file: string, words: string])[]>> = {
  'README.md': [
    [/^npm start$/, 'scripts/readme/walk.test.ts', 'commands.router'],
    [/^npm test$/, '.ci/run', 'npm test'],
    [/^npm run demo$/, 'scripts/demo/ending.test.ts', 'demo.ts'],
  ],
  'docs/certify.md': [
    [/^npx waybill-certify(-sender)? /, 'testbed/tests/docs/code-blocks.test.ts', "'npx waybill-certify"],
  ],
  'docs/install.md': [
    [/^npm run release$/, 'scripts/release/release.test.ts', 'exec "$3" scripts/release.ts'],
    [/sha256sum --check SHA256SUMS\)$/, 'scripts/release/release.test.ts', "'docs/install.md'"],
    [/^docker (build|run|logs) /, 'docs/install.md', '| `docker build`, `docker run` |'],
    [/^cp waybill\.service |^journalctl |^systemctl |^systemd-run /, 'docs/install.md', '| the unit under systemd |'],
  ],
  'docs/receiver.md': [
    [/^npx waybill-receiver (redact|diff) /, 'testbed/tests/docs/code-blocks.test.ts', "'npx waybill-receiver redact'"],
  ],
  'docs/testbed.md': [
    [/^npm run build testbed && npm pack /, 'testbed/tests/support/packed-testbed.ts', 'build: buildTestbed'],
    [/^npm (init|install) /, 'cli/tests/fresh-machine.test.ts', 'machine.run(installKit'],
    [
      /^cp .*first\.test\.ts|^npx vitest run$/,
      'testbed/tests/compliance/package-user.test.ts',
      "'node_modules/vitest/vitest.mjs', 'run'",
    ],
    [/^npx waybill-receiver /, 'cli/tests/fresh-machine.test.ts', 'receive.replace('],
    [/^npx waybill-simulate /, 'cli/tests/doc-commands.test.ts', 'testbed/command-line/simulate.ts'],
  ],
};

/** Commands that need what no test has, with what runs instead. */
const NOT_HERE = [
  // The package's own tests start it with and without these packages.
  /^npm install @opentelemetry\/[^\n]*\n[^\n]*$/m,
  /^OTEL_EXPORTER_OTLP_ENDPOINT=.*$/m,
  // On a folder that no router has open: tests of the command.
  /^npx waybill token create --data-dir .*$/m,
  /^WAYBILL_SECRET_KEYS_FILE=secret-keys npm start$/m,
  // Into folders of a shell that is set up for them: tests of completion read what is written.
  /^waybill complete .*$/gm,
];

/** A mark before a block names the terminal that a test types it in. */
function blocksOf(page: string, marked = true): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/(<!-- (?:walk|install): [^>]*-->\n)?```sh\n([\s\S]*?)```/g)];
  return blocks
    .filter(([, mark]) => marked || mark === undefined)
    .map(([, , block = '']) => NOT_HERE.reduce((left, pattern) => left.replace(pattern, ''), block));
}

/** A router of its own, with what the pages take for granted: a source with a destination, and deliveries that failed. */
async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-doc-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const receiver = createServer((_, response) => response.writeHead(400).end());
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => receiver.close().closeAllConnections());
  const flags = { port: '0', token: TOKEN, 'data-dir': join(folder, 'data'), 'allow-networks': '127.0.0.0/8' };
  const router = await startRouterProcess(flags);
  onTestFinished(() => router[Symbol.asyncDispose]());
  const hook = `http://127.0.0.1:${portOf(receiver)}/hook`;
  const run = async (commands: string, own: Readonly<Record<string, string>> = {}): Promise<string> => {
    const shown = { 'http://127.0.0.1:8080': router.url, 'https://example.com/hook': hook, ...own };
    const typed = Object.entries(shown).reduce((text, [from, to]) => text.replaceAll(from, to), commands);
    return await runCommands(`${SHELL(router.url)}\n${typed}`, folder);
  };
  const writeKey = async () => /write_keys":\["(\w+)/.exec(await run('waybill sources get web --json'))?.[1] ?? '';
  return { run, hook, writeKey };
}

/** The command of the clone, wherever one stands; an answer that is an error ends the script. */
const SHELL = (url: string): string => `
export TOKEN=${TOKEN} WAYBILL_TOKEN=${TOKEN} WAYBILL_URL=${url}
waybill() { '${process.execPath}' '${join(ROOT, 'cli/waybill.ts')}' "$@"; }
npx() { "$@"; }
curl() { command curl --fail-with-body "$@"; }`;

const SET_UP = `
waybill sources create web
waybill destinations create web/webhooks --enabled true --config '[{name: hooks, value: [{hook: "https://example.com/hook"}]}]'`;

type World = Awaited<ReturnType<typeof world>>;

/** The number of a delivery that failed, of an event that is sent now. */
async function failedDelivery({ run }: World): Promise<string> {
  await run('waybill send web');
  const list = 'waybill deliveries list web/webhooks --state failed --json';
  await expect.poll(() => run(list)).toContain('"name"');
  return /deliveries\/([\w-]+)"/.exec(await run(list))?.[1] ?? '';
}

/** How each page is run: what stands before its first command, and what is another value here. */
const PAGES: Readonly<Record<string, (here: World, blocks: readonly string[]) => Promise<unknown>>> = {
  'docs/audiences.md': withSource,
  'docs/dropped-events.md': withSource,
  'docs/fql.md': withSource,
  'docs/leaving-segment.md': leaving,
  'docs/sdks.md': withSource,
  'docs/cli.md': async (here, [all = '']) => {
    const [made = '', rest = ''] = all.split(/(?<=destinations create .*\n)/);
    await here.run(made);
    return await here.run(rest, { 4711: await failedDelivery(here) });
  },
  'docs/configuration.md': async (here, [exporting = '', ...rest]) => {
    const listed = await here.run(`${SET_UP}\n${exporting}`);
    expect(listed).toMatch(/Secrets to set[^]*MAIN_WEB_WRITE_KEYS_0[^]*MAIN_WEB_WEBHOOKS_HOOKS_0_HOOK/);
    const secrets = `MAIN_WEB_WRITE_KEYS_0=${await here.writeKey()} MAIN_WEB_WEBHOOKS_HOOKS_0_HOOK=${here.hook}`;
    return await here.run(`export ${secrets}\n${rest.join('\n')}`);
  },
  'docs/deliveries.md': async (here, blocks) => {
    await here.run(SET_UP);
    return await here.run(blocks.join('\n'), { 'deliveries/2': `deliveries/${await failedDelivery(here)}` });
  },
  'docs/operating.md': async (here, blocks) =>
    await here.run(`waybill workspaces create shop\n${SET_UP}\n${blocks.join('\n')}`),
  'docs/tracking-plans.md': async (here, [create = '', ...rest]) => {
    await here.run(SET_UP);
    const plan = /tracking-plans\/([\w-]+)"/.exec(await here.run(create))?.[1] ?? '';
    return await here.run(`PLAN=${plan} WRITE_KEY=${await here.writeKey()}\n${rest.join('\n')}`);
  },
};

/** A day of the archive in which nothing came, here or there; one plan of the workspace is refused, as the report tells. */
async function leaving({ run }: World, [importing = '', compare = '']: readonly string[]): Promise<string> {
  await using service = await startSegmentService(2);
  const from = `waybill import segment --from ${service.url}`;
  const typed = importing.replace(/<.*>/, SEGMENT_TOKEN).replaceAll('waybill import segment', from);
  const report = await run(`${typed.trimEnd()} 2>&1 || [ $? = 1 ]`);
  expect(report).toContain('+ main/source-1/webhooks');
  const outside = JSON.stringify({ type: 'track', receivedAt: '2026-11-19T12:00:00Z' });
  const archive = ['web', 'app'].map(
    (name) => `mkdir -p archive/${name} && echo '${outside}' | gzip > archive/${name}/1.gz`,
  );
  return await run(`${archive.join('\n')}\n${SET_UP}\nwaybill sources create app\n${compare}`);
}

async function withSource({ run }: World, blocks: readonly string[]): Promise<string> {
  return await run(`${SET_UP}\n${blocks.join('\n')}`);
}

test.each(Object.entries(PAGES))('the commands of %s do what they say', async (page, type) => {
  expect(blocksOf(page).length).toBeGreaterThan(0);
  await type(await world(), blocksOf(page));
});

test('every page with commands has a test that runs them', () => {
  const pages = globSync(['README.md', 'docs/*.md', 'docs/client/*.md'], { cwd: ROOT });
  const commanding = pages.filter((page) => blocksOf(page).length > 0);
  const known = new Set([PAGES, TYPED_ELSEWHERE, SAME_ELSEWHERE].flatMap((run) => Object.keys(run)));
  expect(commanding.toSorted()).toEqual([...known].toSorted());
});

test('who types the commands of a page reads them there', () => {
  const read = Object.entries(TYPED_ELSEWHERE).filter(([page, file]) => textOf(file).includes(page));
  expect(Object.fromEntries(read)).toEqual(TYPED_ELSEWHERE);
});

test('of a page whose blocks are typed by their marks, no other block is left out', () => {
  const marked = Object.keys(TYPED_ELSEWHERE).filter((page) => blocksOf(page).length > blocksOf(page, false).length);
  const half = marked.filter((page) => blocksOf(page, false).length > 0);
  expect(half.length).toBeGreaterThan(2);
  expect(half.filter((page) => SAME_ELSEWHERE[page] === undefined)).toEqual([]);
});

test.each(Object.keys(SAME_ELSEWHERE))('each command of %s is done by the test that is named for it', (page) => {
  expect(linesOf(page).length).toBeGreaterThan(0);
  expect(linesOf(page).filter((line) => !isDone(page, line))).toEqual([]);
});

test('a command that no test does is found', () => {
  expect(isDone('docs/testbed.md', 'npx waybill-receiver --port 9000')).toBe(true);
  expect(isDone('docs/testbed.md', 'npx waybill-receiver-of-another')).toBe(false);
});

test('the outages that docs/testbed.md rehearses are known', async () => {
  const lines = linesOf('docs/testbed.md').filter((line) => line.startsWith('npx waybill-simulate '));
  expect(lines.length).toBeGreaterThan(1);
  const simulate = `'${process.execPath}' '${join(ROOT, 'testbed/command-line/simulate.ts')}' `;
  const typed = lines.map((line) => line.replace('npx waybill-simulate ', simulate)).join('\n');
  const folder = mkdtempSync(join(tmpdir(), 'waybill-doc-simulate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await runCommands(typed, folder)).toMatch(/brown-out[^]*all hold[^]*certificate-expiry[^]*all hold/);
});

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Commands, each with the lines that it goes on in. */
function linesOf(page: string): readonly string[] {
  const lines = blocksOf(page, false).join('\n').replaceAll('\\\n', ' ').split('\n');
  return lines.filter((line) => line !== '');
}

function isDone(page: string, line: string): boolean {
  const entries = SAME_ELSEWHERE[page] ?? [];
  return entries.some(([command, file, words]) => command.test(line) && textOf(file).includes(words));
}

test('a command that the router refuses is found', async () => {
  const { run } = await world();
  await expect(run('curl -s http://127.0.0.1:8080/v1beta/workspaces/main/nothing')).rejects.toThrow(
    'ended with code 22',
  );
  await expect(run('npx waybill sources list --no-such-flag')).rejects.toThrow('unknown option');
});
