import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ENTRY = fileURLToPath(new URL('../../analytics/index.ts', import.meta.url));

/** What the library takes at most in a browser, after gzip: 8 KB. */
export const LIMIT_BYTES = 8_192;

/** The library as one minified file; with `used`, what is left of it for somebody who imports only that. */
export async function bundle(format: 'esm' | 'iife', used = '*'): Promise<string> {
  const virtual = '\0entry';
  const source =
    used === '*' ? `export * from ${JSON.stringify(ENTRY)};` : `export { ${used} } from ${JSON.stringify(ENTRY)};`;
  const build = await rolldown({
    input: virtual,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === virtual ? id : null),
        load: (id) => (id === virtual ? source : null),
      },
    ],
  });
  const { output } = await build.generate({ format, minify: true, name: 'waybill' });
  await build.close();
  return output[0].code;
}
