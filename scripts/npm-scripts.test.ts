import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './generate/root.ts';

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

test('there are at most 24 npm scripts, and none is a hook', () => {
  const names = Object.keys(scripts);
  expect(names.length).toBeLessThanOrEqual(24);
  expect(names.filter((name) => /^(?:pre|post)/.test(name))).toEqual([]);
});

test('every script sets the clone up before it runs, except for serve', () => {
  const others = Object.keys(scripts).filter((name) => !scripts[name]?.startsWith('node scripts/run.mjs '));
  expect(others).toEqual(['serve']);
});

test('every file that a script runs is there', () => {
  const files = Object.values(scripts).map((command) => /\S+\.(?:m?js|ts)(?=$| [^.]*$)/.exec(command)?.[0] ?? command);
  expect(files.filter((file) => globSync(file, { cwd: ROOT }).length !== 1)).toEqual([]);
});

test('every npm script that a page, a help text or an error names is there', () => {
  expect(unknownScripts(sources())).toEqual([]);
});

test('a script that is not there is found', () => {
  expect(unknownScripts([{ file: 'x.md', text: 'Use `npm run nonsense -- --flag`.' }])).toEqual([
    'x.md: npm run nonsense',
  ]);
});

interface Page {
  readonly file: string;
  readonly text: string;
}

function sources(): Page[] {
  const files = globSync(
    ['*.md', '{docs,decisions}/**/*.md', '{server,client,cli,testbed,console,scripts,openapi}/**/*.{ts,tsx,md,yaml}'],
    { cwd: ROOT, exclude: (name) => name.includes('node_modules') || name.endsWith('npm-scripts.test.ts') },
  );
  return files.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

function unknownScripts(pages: readonly Page[]): string[] {
  return pages.flatMap(({ file, text }) =>
    [...text.matchAll(/npm run ((?:[a-z]+:)*[a-z]+)/g)]
      .filter(([, name = '']) => !Object.hasOwn(scripts, name))
      .map(([words]) => `${file}: ${words}`),
  );
}

test('every command of a package is executable, as npm would make it: an install changes no file of a clone', () => {
  const commands = globSync('{server,client,cli,testbed,console}/package.json', { cwd: ROOT }).flatMap((file) => {
    const { bin = {} }: { readonly bin?: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(ROOT, file), 'utf8'),
    );
    return Object.values(bin).map((path) => join(dirname(file), path));
  });
  expect(commands.length).toBeGreaterThan(3);
  const listed = execFileSync('git', ['ls-files', '--stage', ...commands], { cwd: ROOT, encoding: 'utf8' });
  const modes = listed.trimEnd().split('\n');
  expect(modes.filter((line) => !line.startsWith('100755 '))).toEqual([]);
  expect(modes).toHaveLength(commands.length);
});
