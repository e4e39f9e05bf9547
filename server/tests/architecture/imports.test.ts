import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Which folders may not import which: types flow one way, and production code never sees the testbed. */
const NEVER: readonly [from: RegExp, to: RegExp, why: string][] = [
  [/^server\//, /^(client|cli|testbed|scripts)\//, 'the router stands alone'],
  [/^client\//, /^(server|cli|testbed|scripts)\//, 'the client stands alone'],
  [/^cli\//, /^(testbed|scripts)\//, 'the command is the router and its client'],
  [/^testbed\//, /^cli\//, 'a kit for tests needs no command of the router'],
  [
    /^testbed\/stand-in\//,
    /^server\/(?:cli|http\/(?:admission|application|body|connections|listener|operations-router)|ingestion|operations|settings|storage\/(?:file|postgres))/,
    'what stands in for the router carries no requests, and keeps no files',
  ],
  [
    /^testbed\/(?!stand-in\/)/,
    /^server\/(?!delivery\/|events\/|model\/|ports\/|storage\/|nearest)/,
    'of the router the testbed uses the delivery engine alone',
  ],
  [/^server\/(?!cli\/|main)/, /^server\/cli\//, 'the router knows nothing of its command'],
  [/^server\/delivery\//, /^server\/(ingestion|resources|http)\//, 'delivery knows no HTTP API'],
  [/^server\/ports\//, /^server\/(?!ports\/|model\/)/, 'ports know nobody behind them'],
  [/^server\/model\//, /^server\/(?!model\/|ports\/)/, 'the model knows no mechanism'],
  [/^server\/(model|storage)\//, /^generated\//, 'a stored row is not a wire row'],
  [/^server\/events\//, /^server\/(delivery|resources|http|storage\/file)\//, 'events pass through ports alone'],
  [
    /^server\/(?!storage\/|app|main|cli\/)/,
    /^server\/storage\/(file|postgres|memory)\//,
    'storage is known by its port alone',
  ],
];

test.each(NEVER)('no file of %s imports one of %s', (from, to, why) => {
  expect(breaches(productionImports(), from, to), why).toEqual([]);
});

test('a forbidden import is found', () => {
  const imports = [{ from: 'server/delivery/x.ts', to: 'testbed/index.ts' }];
  expect(NEVER.flatMap(([from, to]) => breaches(imports, from, to))).toEqual(imports);
});

test('imports are read from the code', () => {
  expect(productionImports()).toContainEqual({ from: 'server/cli/serve.ts', to: 'server/app.ts' });
});

function breaches(imports: readonly Import[], from: RegExp, to: RegExp): Import[] {
  return imports.filter((one) => from.test(one.from) && to.test(one.to));
}

function productionImports(): Import[] {
  const files = globSync('{server,client,cli,testbed}/**/*.ts', { cwd: ROOT });
  return files
    .filter((file) => !file.includes('/tests/') && !file.includes('node_modules'))
    .flatMap((file) => {
      const code = readFileSync(join(ROOT, file), 'utf8');
      const targets = [...code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
      return targets.map((target) => ({ from: file, to: relative(ROOT, join(ROOT, dirname(file), target)) }));
    });
}
