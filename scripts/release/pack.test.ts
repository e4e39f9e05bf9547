import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packFolder, tarballName } from './pack.ts';

const MANIFEST = '{"name":"@example/kit","version":"1.2.3","bin":{"kit":"bin/kit.js"}}';
const AT = new Date('2026-11-20T12:00:00Z');

/** The tarball of a package whose files were written in this order, with these modes, at this time. */
function packed({
  files = ['bin/kit.js', 'lib/a.js', 'B.md'],
  mode = 0o644,
  writtenAt = 1_000,
  text = 'same',
  at = AT,
}) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-pack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['package/bin', 'package/lib']) mkdirSync(join(folder, name), { recursive: true });
  const all = [...files.map((file) => [file, text] as const), ['package.json', MANIFEST] as const];
  for (const [file, content] of all) {
    const path = join(folder, 'package', file);
    writeFileSync(path, content);
    chmodSync(path, mode);
    utimesSync(path, writtenAt, writtenAt);
  }
  packFolder(join(folder, 'package'), join(folder, 'kit.tgz'), at);
  return readFileSync(join(folder, 'kit.tgz'));
}

test('a package is packed into the same bytes, whatever the order, the modes and the times of its files', () => {
  const bytes = packed({});
  expect(packed({ files: ['B.md', 'lib/a.js', 'bin/kit.js'] })).toEqual(bytes);
  expect(packed({ mode: 0o600 })).toEqual(bytes);
  expect(packed({ mode: 0o777 })).toEqual(bytes);
  expect(packed({ writtenAt: 2_000 })).toEqual(bytes);
});

test('other content and another time of the release are other bytes', () => {
  expect(packed({ text: 'other' })).not.toEqual(packed({}));
  expect(packed({ at: new Date(0) })).not.toEqual(packed({}));
});

test('a tarball is named as npm names it', () => {
  expect(tarballName({ name: '@example/kit', version: '1.2.3' })).toBe('example-kit-1.2.3.tgz');
  expect(tarballName({ name: 'kit', version: '1.2.3' })).toBe('kit-1.2.3.tgz');
});
