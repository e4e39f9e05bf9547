import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../webhooks/', import.meta.url);
const ALLOWED = new Set(['valibot', '../../generated/runtime/valibot.gen.ts', '../../generated/config-api.d.ts']);

/** What would keep a file from running in a browser or an edge runtime: packages, built-ins, globals of Node. */
function foreign(source: string): readonly string[] {
  const targets = [...source.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)';/gm)].map(([, target]) => target ?? '');
  const outside = targets.filter(
    (target) => !ALLOWED.has(target) && (!target.startsWith('.') || target.includes('../../')),
  );
  return [...outside, ...(source.match(/\brequire\(|\bBuffer\b|\bprocess\b|\bsetImmediate\b/g) ?? [])];
}

test('the webhook kit runs anywhere: nothing of Node, no framework', () => {
  const files = globSync('**/*.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(12);
  for (const file of files) expect(foreign(readFileSync(new URL(file, ROOT), 'utf8')), file).toEqual([]);
});

test('the signature needs nothing but Web Crypto', () => {
  const source = readFileSync(new URL('signature.ts', ROOT), 'utf8');
  expect(source).toContain('crypto.subtle');
  expect(source).not.toMatch(/^import/m);
});

test('the check above sees an import and a Node global', () => {
  expect(foreign("import { createHmac } from 'node:crypto';\nBuffer.from('x');")).toHaveLength(2);
  expect(foreign("import type { Request } from 'express';\n")).toHaveLength(1);
});
