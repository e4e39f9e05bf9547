/** Compares each contract with its last release; exits 1 when something would break those who were built for it (CFG-23). */
import { compareWithRelease } from './compatibility/permitted-changes.ts';
import { RELEASED } from './compatibility/released.ts';

for (const contract of RELEASED) {
  const { permitted, faults } = compareWithRelease(contract);
  for (const { change, reason } of permitted) console.log(`permitted: ${change}\n  because: ${reason}`);
  if (faults.length === 0) console.log(`${contract.name} is compatible with its last release`);
  else {
    console.error([`${contract.name} would break what was built for its last release:`, ...faults].join('\n  '));
    process.exitCode = 1;
  }
}
