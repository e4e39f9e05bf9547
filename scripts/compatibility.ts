/** Compares each contract with its last release; exits 1 when something would break those who were built for it (CFG-23). */
import { contractBreaks } from './compatibility/contract-breaks.ts';
import { RELEASED } from './compatibility/released.ts';

for (const { name, released, current } of RELEASED) {
  const breaks = contractBreaks(released, current);
  if (breaks.length === 0) console.log(`${name} is compatible with its last release`);
  else {
    console.error([`${name} would break what was built for its last release:`, ...breaks].join('\n  '));
    process.exitCode = 1;
  }
}
