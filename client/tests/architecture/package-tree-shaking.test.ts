import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { LIMIT_BYTES } from '../support/analytics-bundle.ts';
import { bundleProgram } from '../support/package-bundle.ts';
import { newConsumer } from '../support/package-consumer.ts';

const consumer = newConsumer();
afterAll(() => consumer[Symbol.dispose]());

const bundle = (program: string) => bundleProgram(consumer.folder, program);
const sizeOf = (code: string): number => gzipSync(code, { level: 9 }).length;
const groupOf = (file: string): string =>
  /^(?:@waybill\/client\/(?:client\/\w+|generated)|[^@/]+)/.exec(file)?.[0] ?? file;
const groupsOf = (files: readonly string[]): string[] => [...new Set(files.map(groupOf))].toSorted();

describe('a bundle of the packed tarball', () => {
  test.each(['@waybill/client', '@waybill/client/webhooks'])('verify alone from %s is one file', async (entry) => {
    const { code, files } = await bundle(`export { verify } from '${entry}';`);
    expect(files).toEqual(['@waybill/client/client/webhooks/signature.js']);
    expect(sizeOf(code)).toBeLessThan(700);
  });

  test('the analytics client brings in nothing of the other parts, also from the entry for all', async () => {
    const { files } = await bundle("export { Analytics } from '@waybill/client';");
    expect(groupsOf(files)).toEqual(['@waybill/client/client/analytics']);
  });

  test('all of the analytics part takes at most 8 KB of gzip', async () => {
    const { code } = await bundle("export * from '@waybill/client/analytics';");
    expect(code).toContain('x-retry-count');
    expect(sizeOf(code)).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  test('the config client brings in its one dependency, and no validator', async () => {
    const { files } = await bundle("export { createConfigClient } from '@waybill/client';");
    expect(groupsOf(files)).toEqual(['@waybill/client/client/config', 'openapi-fetch']);
  });

  test('what parses webhooks has the validators of the seven bodies, and no others', async () => {
    const { code, files } = await bundle("export { parse } from '@waybill/client';");
    expect(groupsOf(files)).toEqual(['@waybill/client/client/webhooks', '@waybill/client/generated', 'valibot']);
    expect(code).not.toContain('write_keys');
    expect(sizeOf(code)).toBeLessThan(5 * 1024);
  });

  test('a program that uses all has all of it', async () => {
    const { files } = await bundle("export * from '@waybill/client';");
    expect(groupsOf(files)).toEqual(
      expect.arrayContaining(['valibot', 'openapi-fetch', '@waybill/client/client/analytics']),
    );
  });
});
