import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../scripts/check/free-port.ts';
import { TOKEN } from '../../../server/tests/support/config-api.ts';
import { PAGES as TESTBED_PAGES } from '../../../testbed/tests/support/doc-blocks.ts';
import { sign } from '../../webhooks/index.ts';
import { receivingServer } from '../support/analytics-receiving-server.ts';
import { startConfigRouter } from '../support/config-router.ts';
import { examplesOf, exampleWith, PAGES, runnable, showsCode } from '../support/docs-examples.ts';
import { TRACK_BODY } from '../support/webhooks-track-body.ts';
import { bundleProgram } from '../support/package-bundle.ts';
import { machineNode, newConsumer } from '../support/package-consumer.ts';
import { ROOT } from '../support/packed-once.ts';
import { startWorker } from '../support/workerd.ts';

const ROUTER = 'http://127.0.0.1:8080';
const SECRET = 'THE_SHARED_SECRET';

const consumer = newConsumer('@types/node');
afterAll(() => consumer[Symbol.dispose]());

const numbered = (examples: readonly string[]) => examples.map((code, at) => [at + 1, code] as const);

/** Runs an example as its reader does: in the folder with the installed tarball, on the machine's own Node. */
function run(code: string) {
  return consumer.run(machineNode(), ['--input-type=module', '-'], { input: code });
}

/** Its programs are of another SDK: `server/tests/compliance/leaving-segment-docs.test.ts` runs them. */
const LEAVING = 'docs/leaving-segment.md';

/** Pages with code that nobody compiles or runs. */
function untried(pages: readonly (readonly [path: string, text: string])[]): string[] {
  const tried = new Set<string>([
    LEAVING,
    ...PAGES.map(({ path }) => path),
    ...TESTBED_PAGES.map((page) => `docs/${page}`),
  ]);
  return pages.flatMap(([path, text]) => (showsCode(text) && !tried.has(path) ? [path] : []));
}

test('every page that shows code is one whose code is compiled and run', () => {
  const paths = globSync(['*.md', '*/README.md', 'docs/**/*.md', 'deploy/**/*.md'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  const pages = paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const);
  expect(pages.filter(([, text]) => showsCode(text)).length).toBeGreaterThanOrEqual(PAGES.length);
  expect(untried(pages)).toEqual([]);
  expect(untried([...pages, ['docs/other.md', '1. So:\n\n   ```js\n   send();\n   ```']])).toEqual(['docs/other.md']);
});

test('every example of every page compiles against the tarball', async () => {
  const examples = PAGES.flatMap(({ page }) =>
    numbered(examplesOf(page)).map(([at, code]) => [`${page}-${at}.ts`, code]),
  );
  expect(examples.length).toBeGreaterThan(16);
  consumer.write(Object.fromEntries(examples));
  const web = { lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'], skipLibCheck: true };
  const files = examples.map(([name = '']) => name);
  expect(await consumer.typeCheck({ module: 'nodenext', target: 'es2022', ...web }, files)).toBe('');
});

describe('the Node page and the README', () => {
  const programs = [...examplesOf('node'), ...examplesOf('README')].filter((code) => !code.includes('createServer'));

  test.each(numbered(programs))('example %i delivers', async (_, code) => {
    await using server = await receivingServer();
    expect(await run(runnable(code, { [ROUTER]: server.url }))).toMatchObject({ code: 0 });
    expect(server.accepted.length).toBeGreaterThan(0);
  });

  test('the server delivers what its requests track, and ends at SIGTERM', async () => {
    await using server = await receivingServer();
    const port = await freePort();
    const own = { [ROUTER]: server.url, 3000: String(port) };
    const ordered = `server.on('listening', async () => {
      await (await fetch('http://127.0.0.1:${port}', { headers: { connection: 'close' } })).text();
      process.kill(process.pid, 'SIGTERM');
    });`;
    expect(await run(runnable(exampleWith('node', 'createServer'), own) + ordered)).toMatchObject({ code: 0 });
    expect(server.accepted).toMatchObject([{ event: 'Order Completed' }]);
  });
});

describe('the pages of the Config API and of signatures', () => {
  test.each(numbered([...examplesOf('config'), ...examplesOf('signatures')]))(
    'example %i does what it says',
    async (_, code) => {
      const { world } = await startConfigRouter();
      // On the page the first example makes the destination that the second one reads; here a router has one already.
      const made = { 'sources/shop/destinations': 'sources/js/destinations' };
      const own = { [ROUTER]: world.api.url, YOUR_TOKEN: TOKEN, ...made };
      expect(await run(runnable(code, own))).toMatchObject({ code: 0, output: expect.stringMatching(/\w/) });
    },
  );
});

test('the page of notices makes a source of notices, and who hears them', async () => {
  const { world, client } = await startConfigRouter();
  const [example = ''] = examplesOf('notices');
  expect(await run(runnable(example, { [ROUTER]: world.api.url, YOUR_TOKEN: TOKEN }))).toMatchObject({ code: 0 });
  const source = await client.sources.get('workspaces/main/sources/notices');
  expect(source.catalog_name).toBe('catalog/sources/waybill-notices');
  const destination = await client.destinations.get(`${source.name}/destinations/webhooks`);
  expect(destination).toMatchObject({ enabled: true, deliverable: true });
  expect(JSON.stringify(destination.config)).toContain('https://ops.example/waybill');
});

describe('the page of webhooks', () => {
  const body = JSON.stringify(TRACK_BODY);

  test('the server verifies, and explains what it turns away', async () => {
    const port = await freePort();
    const ended = `server.on('listening', () => console.log('listening'));
      process.stdin.resume().on('end', () => { server.closeAllConnections(); server.close(); });`;
    consumer.write({
      'receiver.js': runnable(exampleWith('webhooks', 'createServer'), { 8090: String(port) }) + ended,
    });
    const receiver = consumer.start(machineNode(), ['receiver.js']);
    await receiver.printed('listening');
    for (const secret of [SECRET, `${SECRET}\n`]) {
      const headers = { 'x-signature': await sign(secret, body) };
      await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).text();
    }
    receiver.endInput();
    const { code, output } = await receiver.ended;
    expect(code).toBe(0);
    expect(output).toContain('user-42 did Größe\n');
    expect(output).toContain('401 the signature is not valid');
    expect(output).toContain("mistakes: [ 'secret-whitespace' ]");
  });

  test.each([
    ['parse(body)', 'not of the contract'],
    ['diagnose', 'the secret has white space around it'],
    ['verifyStandard', 'verified message-1'],
  ])('the example with %s says what it should', async (name, said) => {
    expect(await run(exampleWith('webhooks', name))).toMatchObject({ code: 0, output: expect.stringContaining(said) });
  });

  test('the edge page’s receiver answers in workerd', async () => {
    const { code } = await bundleProgram(consumer.folder, runnable(exampleWith('edge', 'webWebhook')));
    await using worker = await startWorker(code, { SHARED_SECRET: SECRET });
    const headers = { 'x-signature': await sign(SECRET, body) };
    expect((await fetch(worker.url, { method: 'POST', body, headers })).status).toBe(200);
    expect((await fetch(worker.url, { method: 'POST', body: `${body} `, headers })).status).toBe(401);
    expect(worker.log()).toContain('received track m1');
  });
});

test('the edge page’s worker sends its event after the answer', async () => {
  await using server = await receivingServer();
  const example = runnable(exampleWith('edge', 'waitUntil'), { 'https://router.example': server.url });
  const { code } = await bundleProgram(consumer.folder, example);
  await using worker = await startWorker(code, { WRITE_KEY: 'key' });
  expect(await (await fetch(`${worker.url}/shop`)).text()).toBe('ok');
  await expect.poll(() => server.accepted).toMatchObject([{ event: 'Requested' }]);
});
