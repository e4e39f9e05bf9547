import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../analytics/', import.meta.url);

interface Source {
  readonly name: string;
  readonly text: string;
}

function sourcesIn(folder: URL): Source[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return names.map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
}

const importsOf = ({ text }: Source): string[] =>
  Array.from(text.matchAll(/(?:from|import\(?)\s*'([^']+)'/g), (match) => match[1] ?? '');

/** What would keep a file from running in a browser or on the edge. */
function foreignIn(source: Source): string[] {
  const outside = importsOf(source).filter((path) => !/^\.\/[a-z0-9-]+\.ts$/.test(path));
  const builtIn = outside.filter((path) => path.startsWith('node:') || builtinModules.includes(path));
  const globals = source.text.match(/\b(Buffer|setImmediate|__dirname|require\(|process\.env)\b/g) ?? [];
  return [...outside.filter((path) => path !== '../../generated/ingestion-api.d.ts'), ...builtIn, ...globals];
}

/** State that a module keeps: a binding that may change, or a collection that is made empty to be filled. */
const stateIn = ({ text }: Source): string[] =>
  Array.from(
    text.matchAll(/^(?:export )?(?:let \w+|const (\w+)[^\n]*= (?:new (?:Map|Set)(?:<[^\n]*>)?\(\)|\{\}|\[\]);)/gm),
    String,
  );

test('the core imports nothing but itself and the types of the contract', () => {
  const core = sourcesIn(FOLDER);
  expect(core.length).toBeGreaterThan(30);
  expect(core.flatMap((source) => foreignIn(source).map((what) => `${source.name}: ${what}`))).toEqual([]);
});

test('the check above sees a built-in, a package and a global of Node', () => {
  const text = "import { a } from 'node:fs';\nimport b from 'fs';\nimport 'valibot';\nBuffer.from(process.env);";
  expect(foreignIn({ name: 'x.ts', text })).toEqual([
    'node:fs',
    'fs',
    'valibot',
    'node:fs',
    'fs',
    'Buffer',
    'process.env',
  ]);
});

test('the process is touched in one file of the core alone', () => {
  const touching = sourcesIn(FOLDER).filter(({ text }) => /\bprocess\.\w/.test(text));
  expect(touching.map(({ name }) => name)).toEqual(['process-exit.ts']);
});

test('modules keep state in three files alone: the default client, the end of the process, and what outlives the page', () => {
  const stateful = sourcesIn(FOLDER).filter((source) => stateIn(source).length > 0);
  expect(stateful.map(({ name }) => name)).toEqual(['default-client.ts', 'page.ts', 'process-exit.ts']);
});

test('the check above sees a binding and a collection', () => {
  expect(
    stateIn({ name: basename('x.ts'), text: 'let a: number;\nconst b = new Set<() => void>();\nconst c = {};' }),
  ).toHaveLength(3);
});

test('the part for Node imports built-ins, its own files and types of the core', () => {
  for (const source of sourcesIn(new URL('node/', FOLDER))) {
    const others = importsOf(source).filter((path) => !/^(node:|\.\/)/.test(path));
    expect(['../store.ts', '../analytics.ts']).toEqual(expect.arrayContaining(others));
  }
});

test('the part for browsers imports its own files, and few of the core, so that it stays small', () => {
  const sources = sourcesIn(new URL('browser/', FOLDER));
  const others = sources.flatMap(importsOf).filter((path) => !path.startsWith('./'));
  expect([...new Set(others)].toSorted()).toEqual([
    '../analytics.ts',
    '../clock.ts',
    '../message-id.ts',
    '../store.ts',
  ]);
});
