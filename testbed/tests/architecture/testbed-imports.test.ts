import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;

/**
 * Imports of server code that are neither acceptance, the delivery engine, the storage in memory, the errors and verbs of its port, the model,
 * its guess at misspelled names, nor a type of a port. The stand-in for the Config API is the router's own, but for what carries requests.
 */
function forbidden(source: string, file = ''): readonly string[] {
  const imports = source.match(/^(?:import|export)\b[^;]*?from '[^']*\/server\/[^']*';/gm) ?? [];
  return imports.filter(
    (line) =>
      !/from '(?:\.\.\/)+server\/(?:delivery\/|events\/|model\/|storage\/memory\/|storage\/(?:config-store|errors|members|verbs)\.ts|nearest\.ts)/.test(
        line,
      ) &&
      !isTypeOfPort(line) &&
      !(file.startsWith('stand-in/') && isOfStandIn(line)),
  );
}

function isOfStandIn(line: string): boolean {
  return /server\/(?:audiences|directory|evaluation|fairness|jobs|losses|notices|quotas|resources)\/|server\/http\/(?:contract|document|error-answers|errors|validation)\.ts/.test(
    line,
  );
}

function isTypeOfPort(line: string): boolean {
  return /^import type\b[^;]*from '(?:\.\.\/)+server\/(?:ports|storage)\/[\w-]+\.ts';$/.test(line);
}

test('of the server the testbed takes only what it simulates, the model, and the ports', () => {
  const files = globSync('**/*.ts', { cwd: ROOT, exclude: ['dist', 'node_modules', 'tests'] });
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((file) =>
    forbidden(readFileSync(`${ROOT}${file}`, 'utf8'), file).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["import { x } from '../../server/ports/clock.ts';", 1],
  ["import type { X } from '../../server/storage/file/x.ts';", 1],
  ["import {\n  x,\n} from '../../server/storage/x.ts';", 1],
  ["export { x } from '../server/http/x.ts';", 1],
  ["import type { X } from '../../server/ports/clock.ts';", 0],
  ["import { x } from '../../server/delivery/engine.ts';", 0],
  ["import { x } from '../../server/events/accept.ts';", 0],
  ["import { x } from '../../server/storage/memory/memory.ts';", 0],
  ["import { x } from '../../server/storage/file/x.ts';", 1],
  ["import { x } from '../../server/model/x.ts';", 0],
  ["import { x } from '../../server/resources/x.ts';", 1],
])('the check above counts %j as %i', (line, count) => {
  expect(forbidden(line)).toHaveLength(count);
});
