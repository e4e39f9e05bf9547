import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LIBRARY } from '../../analytics/library.ts';
import * as root from '../../index.ts';
import * as analytics from '../../analytics/index.ts';
import * as config from '../../config/index.ts';
import * as webhooks from '../../webhooks/index.ts';
import { BY_CHOICE, packageProblems, typeProblems } from '../support/package-problems.ts';
import { packedClient } from '../support/packed-client.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const { tarball, unpacked } = packedClient();
const manifest: Manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));

/** The package with a text in its manifest replaced, packed again. */
function spoiled(from: string | RegExp, to: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-spoiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(unpacked, join(folder, 'package'), { recursive: true });
  const text = readFileSync(join(unpacked, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package/package.json'), text.replaceAll(from, to));
  execFileSync('tar', ['-czf', 'spoiled.tgz', 'package'], { cwd: folder });
  return join(folder, 'spoiled.tgz');
}

/** Packages and built-ins that compiled files import, declarations included. */
function importedIn(pattern: string): string[] {
  const texts = globSync(pattern, { cwd: unpacked }).map((file) => readFileSync(join(unpacked, file), 'utf8'));
  const code = texts.join('\n').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
  const names = Array.from(code.matchAll(/(?:from |import\(?)\s*['"]([@\w][^'"\s]*)['"]/g), ([, name = '']) => name);
  return [...new Set(names)].toSorted();
}

describe('the packed tarball', () => {
  test('publint and attw find nothing, suggestions included', async () => {
    expect(await packageProblems(tarball)).toEqual([]);
    expect(new Set(await typeProblems(tarball))).toEqual(BY_CHOICE);
  });

  test('attw does find types that belong to another format', async () => {
    const file = spoiled('"type": "module"', '"type": "commonjs"');
    expect(await typeProblems(file)).not.toEqual(await typeProblems(tarball));
  });

  test('publint does find an entry point that is not there', async () => {
    expect(await packageProblems(spoiled('config/index.js', 'config/main.js'))).toContain('FILE_DOES_NOT_EXIST');
  });

  test('it holds compiled code and declarations, and no source or test', () => {
    const files = globSync('**/*.*', { cwd: unpacked });
    expect(files.filter((file) => /(?<!\.d)\.ts$|test|tsbuildinfo/.test(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'client/index.js', 'client/index.d.ts']),
    );
    expect(globSync('LICENSE', { cwd: unpacked })).toHaveLength(1);
  });

  test('each link of its pages leads to a place in it', () => {
    const pages = globSync('{*.md,docs/*.md}', { cwd: unpacked });
    const dead = pages.flatMap((page) => {
      const text = readFileSync(join(unpacked, page), 'utf8');
      const links = Array.from(text.matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, link = '']) => link);
      return links.filter((link) => !existsSync(join(unpacked, dirname(page), link))).map((link) => `${page}: ${link}`);
    });
    expect(pages).toContain('docs/webhooks.md');
    expect(dead).toEqual([]);
  });

  test('its dependencies are what it imports, and the analytics part imports nothing', () => {
    const packages = importedIn('**/*.{js,d.ts}').filter((name) => !isBuiltin(name));
    expect(packages).toEqual(Object.keys(manifest.dependencies).toSorted());
    expect(importedIn('client/analytics/*.{js,d.ts}')).toEqual([]);
    expect(importedIn('client/{*.js,config/*.js,webhooks/**/*.js}')).toEqual(['openapi-fetch', 'valibot']);
  });

  test('LIB-18: the version that messages carry is that of the package', () => {
    expect(LIBRARY.version).toBe(manifest.version);
  });
});

describe('the entry for all', () => {
  test('it has every name of its parts once, and each means the same', () => {
    const parts = [analytics, config, webhooks];
    const names = parts.flatMap((part) => Object.keys(part));
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(root).toSorted()).toEqual(names.toSorted());
    for (const part of parts) expect(root).toMatchObject(part);
  });

  test('it names the entry points of the workspace, and the manifest', () => {
    const source: Manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(Object.keys(manifest.exports)).toEqual([...Object.keys(source.exports), './package.json']);
  });
});
