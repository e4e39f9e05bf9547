/** `npm run test:properties [-- 100000]`: so many courses of outcomes through the delivery engine, which keep its rules. */
import { checkRoundStories } from '../server/tests/support/round-stories.ts';

const [count = '100000'] = process.argv.slice(2);
if (/^[1-9]\d{0,8}$/.test(count)) await run(Number(count));
else {
  console.error(`${count} is no number of courses: give a whole number above 0`);
  process.exitCode = 2;
}

async function run(stories: number): Promise<void> {
  const startedAt = performance.now();
  try {
    await checkRoundStories(stories);
    console.log(`${stories} courses of outcomes keep the rules (${Math.round(performance.now() - startedAt)} ms)`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
