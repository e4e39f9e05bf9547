import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { describe, expect, test } from 'vitest';

const FOLDER = new URL('../../config/', import.meta.url);

/** What the config client may take from elsewhere at run time; it has to run wherever there is a fetch. */
const PACKAGES = new Set(['openapi-fetch']);

const IMPORT = /\b(import|export)\b(\s+type\b)?[^;'"]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
const NODE_GLOBAL = /\b(?:process|Buffer|require|__dirname|__filename|setImmediate|global)\b(?=\s*[.([])/g;

interface Source {
  readonly name: string;
  readonly text: string;
}

const sources: readonly Source[] = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(new URL(name, FOLDER), 'utf8'),
}));

/** What in a source would not run in a browser. */
function faultsOf({ name, text }: Source): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const imports = [...code.matchAll(IMPORT)].filter(([, , type = '', from = '', bare = '']) => {
    const target = from || bare;
    if (target.startsWith('./')) return false;
    return !(type !== '' && target === '../../generated/config-api.d.ts') && !PACKAGES.has(target);
  });
  const globals = code.match(NODE_GLOBAL) ?? [];
  return [...imports.map(([statement]) => statement), ...globals].map((fault) => `${name}: ${fault}`);
}

describe('the config client', () => {
  test('takes nothing from Node, nor from outside its folder', () => {
    expect(sources.map(({ name }) => name)).toContain('index.ts');
    expect(sources.flatMap(faultsOf)).toEqual([]);
    for (const name of PACKAGES) expect(isBuiltin(name)).toBe(false);
  });

  test('types of the contract are its only import from elsewhere', () => {
    const imported = sources.filter(({ text }) => text.includes('../../generated/'));
    expect(imported.length).toBeGreaterThan(0);
    for (const { text } of imported)
      expect(text).toMatch(/import type \{[^}]*\} from '..\/..\/generated\/config-api.d.ts'/);
  });

  test.each([
    "import { createHmac } from 'node:crypto';",
    "import { once } from 'events';",
    "import 'node:fs';",
    "const fs = await import('node:fs');",
    "export { inspect } from 'node:util';",
    "import type { Agent } from 'undici';",
    "import { paths } from '../../generated/config-api.d.ts';",
    "import {\n  type Clock,\n} from '../../server/ports/clock.ts';",
    "const fs = require('fs');",
    "const token = process.env['WAYBILL_TOKEN'];",
    "const bytes = Buffer.from('x');",
  ])('the check above sees %s', (text) => {
    expect(faultsOf({ name: 'x.ts', text })).toHaveLength(1);
  });
});
