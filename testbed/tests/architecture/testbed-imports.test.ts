import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;

/** Imports of server code that are more than types of its ports. The delivery engine joins them when it is simulated. */
function forbidden(source: string): readonly string[] {
  const imports = source.match(/^(?:import|export)\b[^;]*?from '[^']*\/server\/[^']*';/gm) ?? [];
  return imports.filter((line) => !/^import type\b[^;]*from '(?:\.\.\/)+server\/ports\/[\w-]+\.ts';$/.test(line));
}

test('the testbed takes nothing from the server but types of ports', () => {
  const files = globSync('**/*.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((file) =>
    forbidden(readFileSync(`${ROOT}${file}`, 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test('the check above sees an import of server code', () => {
  expect(forbidden("import { x } from '../../server/ports/clock.ts';")).toHaveLength(1);
  expect(forbidden("import type { X } from '../../server/store/x.ts';")).toHaveLength(1);
  expect(forbidden("import type { X } from '../../server/ports/clock.ts';")).toHaveLength(0);
});
