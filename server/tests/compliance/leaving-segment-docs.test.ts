import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startRoute } from '../support/ingestion-route.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/leaving-segment.md'), 'utf8');
const [NODE = '', BROWSER = ''] = Array.from(PAGE.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code);

/** Files in a place from which the SDKs of the project are found. */
function written(files: Readonly<Record<string, string>>): string {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'leaving-segment-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('docs/leaving-segment.md: its programs compile against the SDKs', () => {
  const folder = written({ 'node.mts': NODE, 'browser.mts': BROWSER });
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
  const types = ['--lib', 'es2023,dom,dom.iterable', '--types', 'node'];
  const files = ['node.mts', 'browser.mts'].map((name) => join(folder, name));
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...flags, ...types, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
});

test('docs/leaving-segment.md: the Node program sends an event to both, with the same message id', async () => {
  const [segment, waybill] = [await startRoute(), await startRoute()];
  const [own, theirs] = [waybill, segment].map(({ writeKey, host }) => `{ writeKey: '${writeKey}', host: '${host}' }`);
  const program = NODE.replace("{ writeKey: 'WRITE_KEY', host: 'https://waybill.example.com' }", own ?? '').replace(
    "{ writeKey: 'WRITE_KEY' }",
    theirs ?? '',
  );
  expect(program).not.toMatch(/WRITE_KEY|example\.com/);
  // Of files below `node_modules` Node strips no types.
  const folder = written({ 'node.mjs': stripTypeScriptTypes(program) });
  const module: unknown = await import(pathToFileURL(join(folder, 'node.mjs')).href);
  if (!hasTrack(module)) throw new Error('the program exports no track');
  module.track({ userId: 'u1', event: 'Order Completed' });
  const [there, here] = await Promise.all([segment, waybill].map(({ delivered }) => delivered(1)));
  const idsOf = (received: typeof there): unknown[] =>
    (received ?? []).map(({ body }) => JSON.parse(String(body)).messageId);
  expect(idsOf(here)).toEqual(idsOf(there));
  expect(idsOf(here)).toHaveLength(1);
});

function hasTrack(module: unknown): module is { readonly track: (event: object) => void } {
  return typeof module === 'object' && module !== null && 'track' in module && typeof module.track === 'function';
}
