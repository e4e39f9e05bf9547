/** The page of `npx waybill-receiver`, from the package that people install, on a machine without a network. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { packedTestbed } from '../../testbed/tests/support/packed-testbed.ts';
import { event, post } from '../../testbed/tests/support/posting.ts';
import { userProject } from '../../testbed/tests/support/user-project.ts';
import { canBrowse, expectText, openAt } from './support/browser.ts';

const NEEDED = ['ajv', 'ajv-formats', 're2js', 'valibot', 'undici', 'ipaddr.js', 'picocolors', 'openapi-fetch'];
const FOLDER = 'console/receiver/dist';
/** Names of languages of documents, which nothing loads; and this machine, as an example of an endpoint. */
const HARMLESS = /^http:\/\/(?:www\.w3\.org\/\d{4}\/|127\.0\.0\.1:)/;

interface File {
  readonly name: string;
  readonly text: string;
}

/** What a file loads or names: addresses elsewhere, and files that are not in the folder. */
function faultsOf({ name, text }: File, folder: string): readonly string[] {
  const elsewhere = [...text.matchAll(/\bhttps?:\/\/[^\s"'`)<>\\]*/g)].map(([address]) => address);
  const loaded = [
    ...text.matchAll(/(?:\bsrc|\bhref)="(?!data:)([^"]*)"|url\(["']?(?!data:)([^)"']*)|import\(["'`]([^"'`]*)/g),
  ];
  const missing = loaded
    .map(([, html, css, js]) => html ?? css ?? js ?? '')
    .filter((file) => {
      const { pathname } = new URL(file, `http://page/${name}`);
      return !existsSync(join(folder, pathname));
    });
  return [...elsewhere.filter((address) => !HARMLESS.test(address)), ...missing].map((fault) => `${name}: ${fault}`);
}

test('in the package, the page of the receiver loads files of the package alone', () => {
  const folder = join(packedTestbed().unpacked, FOLDER);
  const names = globSync('**/*.{html,js,css,svg}', { cwd: folder });
  expect(names.length).toBeGreaterThanOrEqual(4);
  const files = names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  expect(files.flatMap((file) => faultsOf(file, folder))).toEqual([]);
});

test.each([
  ['index.html', '<script src="https://cdn.test/x.js"></script>'],
  ['index.html', '<script src="/assets/none.js"></script>'],
  ['assets/a.css', '@font-face { src: url(./none.woff2) }'],
  ['assets/a.css', '@import "http://fonts.test/a.css"'],
  ['assets/a.js', 'import("./none.js")'],
])('in %s, what is not in the package is found: %s', (name, text) => {
  expect(faultsOf({ name, text }, join(packedTestbed().unpacked, FOLDER))).not.toEqual([]);
});

test.skipIf(!canBrowse)('from the package, the page shows what arrives, and asks nobody else', async () => {
  const project = userProject(packedTestbed().unpacked, NEEDED);
  onTestFinished(() => project[Symbol.dispose]());
  const command = join(project.folder, 'node_modules/@waybill/testbed/bin/waybill-receiver.js');
  const flags = ['--port', '0', '--secret', 's3cret', '--script', '503,200'];
  const child = spawn(process.execPath, [command, ...flags], {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const addresses: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    addresses.push(...(/http:\S+/.exec(line) ?? []));
    if (line.trimStart().startsWith('page')) break;
  }
  const [hook = '', address = ''] = [addresses[0], addresses.at(-1)];
  const { page, context, complaints } = await openAt(address);
  const failed: string[] = [];
  context.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  await expectText(page, 'Waiting for the first request');
  expect((await post(hook, event('track', { event: 'Order Completed' }))).status).toBe(503);
  await expect.poll(() => page.locator('a.request').count()).toBe(1);
  await page.reload();
  await page.locator('a.request').first().click();
  await expectText(page, 'Order Completed');
  expect(await page.evaluate('document.fonts.ready.then(({ size }) => size)')).toBeGreaterThan(0);
  expect({ complaints, failed }).toEqual({ complaints: [], failed: [] });
});
