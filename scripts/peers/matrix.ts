/**
 * `npx node scripts/peers/matrix.ts [--ci] [--save] [word in a name]`: installs the packed testbed and client beside the
 * packages that people have, and runs the examples, and each entry on each runtime. CI runs those that no test has. Sets that
 * work are saved one by one: all of them take a while.
 */
import { parseArgs } from 'node:util';
import { writePages } from '../results/pages.ts';
import { originNow, readResult, writeResult } from '../results/result.ts';
import { type SetResult, tried } from './project.ts';
import { ALL_SETS } from './client-sets.ts';

const options = { ci: { type: 'boolean' }, save: { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const word = positionals.join(' ');
const chosen = ALL_SETS.filter(({ name, isInCi }) => name.includes(word) && (values.ci !== true || isInCi));
if (chosen.length === 0)
  throw new Error(`no set has "${word}" in its name: ${ALL_SETS.map(({ name }) => name).join('; ')}`);

const origin = originNow('npx node scripts/peers/matrix.ts');
let holds = true;
for (const set of chosen) {
  const result = await tried(set);
  const works = result.runs.every(({ isExpected }) => isExpected);
  for (const line of linesOf(result)) console.log(line);
  if (works && values.save === true) save(result);
  holds &&= works;
}
process.exitCode = holds ? 0 : 1;

/** In the place of what was saved of the set before. */
function save(result: SetResult): void {
  const { date, commit } = origin;
  const known = new Map(readResult('peers').sets.map((set) => [set.name, set]));
  known.set(result.name, { ...result, date, commit });
  const sets = ALL_SETS.flatMap(({ name }) => known.get(name) ?? []);
  writeResult('peers', { ...origin, sets });
  writePages();
}

function linesOf({ name, runs }: SetResult): readonly string[] {
  const wrong = runs.filter(({ isExpected }) => !isExpected);
  if (wrong.length === 0) return [`passed  ${name}`];
  return wrong.flatMap((run) => [
    run.works ? `FAILED  ${name}: ${run.name} works now; take its reason away` : `FAILED  ${name}: ${run.name}`,
    run.output ?? '',
  ]);
}
