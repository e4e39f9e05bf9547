import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../generate/root.ts';
import { TYPES_AND_LINT } from './types.ts';

/** What is said of sources in a folder with the settings of this project. */
function saidOf(sources: readonly string[]): { readonly status: number | null; readonly faults: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { types: [] },
    include: ['*.ts'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [index, source] of sources.entries()) writeFileSync(join(folder, `source-${index}.ts`), source);
  const [command = '', ...args] = TYPES_AND_LINT;
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin', command), [...args, '-f', 'unix'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const faults = [...stdout.matchAll(/source-(\d+)\.ts:.*typescript\((TS\d+)\)/g)];
  return { status, faults: faults.map(([, index, code]) => `${index}: ${code}`).toSorted() };
}

test('sources without a fault of types pass', () => {
  expect(saidOf(["export const word: string = 'a';\n"])).toEqual({ status: 0, faults: [] });
});

test('faults of types are found: values, missing elements and fields, modules, syntax that stays, errors that do not come', () => {
  const wrong = [
    "export const count: number = 'a';",
    "export const word: string = ['a'][0];",
    'export const one: { a?: number } = { a: undefined };',
    "export * from './nothing.ts';",
    'export enum Kind {\n  One,\n}',
    '// @ts-expect-error -- it has none\nexport const one = 1;',
  ];
  const faults = ['0: TS2322', '1: TS2322', '2: TS2375', '3: TS2307', '4: TS1294', '5: TS2578'];
  expect(saidOf(wrong)).toEqual({ status: 1, faults });
});

test('what the linter leaves out has no sources but those whose types are checked beside it', () => {
  const { ignorePatterns }: { readonly ignorePatterns: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'),
  );
  const own = ignorePatterns.filter((pattern) => !pattern.startsWith('node_modules/'));
  const sources = own
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file));
  expect(sources.filter((file) => !file.startsWith('generated/runtime/'))).toEqual([]);
});
