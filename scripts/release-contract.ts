/** Makes what the contracts say now their last release. Refuses, and writes nothing, when that would break a promise (CFG-23). */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { contractBreaks } from './compatibility/contract-breaks.ts';
import { RELEASED } from './compatibility/released.ts';
import { ROOT } from './generate/root.ts';

const faults = RELEASED.flatMap(({ name, released, current }) =>
  existsSync(released) ? contractBreaks(released, current).map((one) => `${name}: ${one}`) : [],
);
if (faults.length > 0) {
  console.error(['Not released: a further version is the place for these changes (CFG-24).', ...faults].join('\n  '));
  process.exitCode = 1;
} else {
  for (const { released, current } of RELEASED) {
    mkdirSync(dirname(released), { recursive: true });
    copyFileSync(current, released);
    console.log(`released: ${relative(ROOT, released)}`);
  }
}
