import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const importsOf = (source: string) => source.match(/^\s*import\b.*|\brequire\(.*|\bBuffer\b|\bprocess\b/gm) ?? [];

test('the signature runs anywhere: nothing imported, nothing of Node', () => {
  const source = readFileSync(new URL('../../webhooks/signature.ts', import.meta.url), 'utf8');
  expect(source).toContain('crypto.subtle');
  expect(importsOf(source)).toEqual([]);
});

test('the check above sees an import and a Node global', () => {
  expect(importsOf("import { createHmac } from 'node:crypto';\nBuffer.from('x');")).toHaveLength(2);
});
