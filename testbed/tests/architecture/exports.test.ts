import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const TESTBED = fileURLToPath(new URL('../../', import.meta.url));
const MOST = 40;

const { exports }: { exports: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(`${TESTBED}package.json`, 'utf8'),
);

/** The names that each file exports, types included; each with the place where it is written. */
function exportsOf(files: readonly string[], host?: ts.CompilerHost): readonly (readonly string[])[] {
  const options = { noLib: true, allowImportingTsExtensions: true, module: ts.ModuleKind.NodeNext, types: [] };
  const program = ts.createProgram(files, options, host);
  const checker = program.getTypeChecker();
  return files.map((file) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name);
  });
}

test('no entry exports more than a person can take in, and no name has two homes', () => {
  const entries = Object.entries(exports);
  const found = exportsOf(entries.map(([, file]) => TESTBED + file));
  const names = Object.fromEntries(entries.map(([entry], index) => [entry, found[index] ?? []]));
  expect(names['.']).toContain('createReceiver');
  for (const [entry, of] of Object.entries(names))
    expect([entry, of.length <= MOST && of.length > 0]).toEqual([entry, true]);
  // The matchers' types come with each of the runners' entries.
  const homes = entries.flatMap(([entry]) =>
    ['./jest', './node-test', './vitest'].includes(entry) ? [] : (names[entry] ?? []),
  );
  const shared = new Set(['EndpointOptions']);
  expect(homes.filter((name, index) => homes.indexOf(name) !== index && !shared.has(name))).toEqual([]);
});

test('the check above counts types, and what an entry passes on whole', () => {
  const files: Readonly<Record<string, string>> = {
    '/a.ts': "export const one = 1; export type Two = 2; export type * from './b.ts';",
    '/b.ts': 'export interface Three {} export const four = 4;',
  };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    fileExists: (file) => file in files,
    readFile: (file) => files[file],
    getSourceFile: (file) => ts.createSourceFile(file, files[file] ?? '', ts.ScriptTarget.ESNext),
    getCurrentDirectory: () => '/',
  };
  expect(exportsOf(['/a.ts'], host).map((names) => names.length)).toEqual([4]);
});
