/**
 * Makes what the contracts say now their last release, and empties the lists of permitted changes. Refuses, and writes
 * nothing, when that would break a promise (CFG-23).
 */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { compareWithRelease } from './compatibility/permitted-changes.ts';
import { RELEASED } from './compatibility/released.ts';
import { ROOT } from './generate/root.ts';

const faults = RELEASED.flatMap((contract) =>
  existsSync(contract.released) ? compareWithRelease(contract).faults.map((one) => `${contract.name}: ${one}`) : [],
);
if (faults.length > 0) {
  console.error(['Not released: a further version is the place for these changes.', ...faults].join('\n  '));
  process.exitCode = 1;
} else {
  for (const { released, current, permittedChanges } of RELEASED) {
    mkdirSync(dirname(released), { recursive: true });
    copyFileSync(current, released);
    writeFileSync(permittedChanges, '[]\n');
    console.log(`released: ${relative(ROOT, released)}`);
  }
}
