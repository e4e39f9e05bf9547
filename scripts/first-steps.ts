/**
 * `npx node scripts/first-steps.ts [--save]`: types the first steps of docs/testbed.md as they stand there, in a fresh clone and in
 * an empty folder beside it, with an empty cache of npm, and measures what somebody waits for who does that.
 */
import { typedSteps } from './first-steps/steps.ts';
import { FIVE_MINUTES } from './results/first-steps-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';

const origin = originNow('npx node scripts/first-steps.ts');
const steps = await typedSteps(({ typed, seconds }) =>
  console.log(`${seconds.toFixed(1)} s  ${typed.replaceAll('\n', ' ; ')}`),
);
const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(`${total.toFixed(1)} s in all`);
if (process.argv.includes('--save')) {
  writeResult('first-steps', { ...origin, steps });
  writePages();
}
process.exitCode = total <= FIVE_MINUTES ? 0 : 1;
