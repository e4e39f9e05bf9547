import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './generate/root.ts';

/** What a clone runs without the packages for developers (run.mjs). */
const ENTRIES = [
  'server/main.ts',
  'cli/waybill.ts',
  'scripts/demo.ts',
  'scripts/demo-cluster.ts',
  ...globSync('testbed/command-line/*.ts', { cwd: ROOT }),
];
/** Types are gone when the code runs. */
const IMPORT = /^(?:import|export) (?!type )[^;]*? from '([^']+)';|import\('([^']+)'\)/gm;
const { packages }: { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);

interface Use {
  readonly file: string;
  readonly name: string;
}

function usesFrom(entries: readonly string[]): Use[] {
  const seen = new Set(entries);
  const uses: Use[] = [];
  for (const file of seen) {
    for (const [, one, other] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const target = one ?? other ?? '';
      if (target.startsWith('.')) seen.add(join(dirname(file), target));
      else if (!target.startsWith('node:')) uses.push({ file, name: packageIn(target) });
    }
  }
  return uses;
}

const packageIn = (target: string): string => target.split('/', target.startsWith('@') ? 2 : 1).join('/');
const isForDevelopers = ({ name }: Use): boolean => packages[`node_modules/${name}`]?.dev !== undefined;

test('what users start imports no package that is for developers alone', () => {
  const uses = usesFrom(ENTRIES);
  expect(new Set(uses.map(({ name }) => name))).toContain('koa');
  expect(uses.filter(isForDevelopers)).toEqual([]);
});

test('one that does is found', () => {
  const uses = usesFrom(['scripts/run.test.ts']);
  expect(uses.filter(isForDevelopers)).toContainEqual({ file: 'scripts/run.test.ts', name: 'vitest' });
});
