import { writePages } from '../results/pages.ts';
import { originNow, readResult, resultNames, writeResult } from '../results/result.ts';
import { verdictsOn, verdictTable } from './gate/verdict.ts';
import { countWorks } from './gate/work.ts';

/**
 * Instructions of fixed work beside those that were kept: other work on the machine changes times, and not these. 0 when none
 * takes more, also where they are kept now; 1 when one does.
 */
export async function runGate(save: boolean, tell: (words: string) => void): Promise<number> {
  const kept = resultNames().includes('gate') ? readResult('gate') : undefined;
  if (!save && kept === undefined) throw new Error('no counts are kept to compare with: add --save');
  const { node } = process.versions;
  if (!save && kept?.node !== node) {
    throw new Error(`the counts were kept with Node ${kept?.node}, and this is ${node}: keep new ones with --save`);
  }
  const counts = await countWorks(tell);
  const verdicts = verdictsOn(counts, kept?.node === node ? kept.counts : []);
  console.log(verdictTable(verdicts));
  if (!save) return verdicts.some(({ isLoss }) => isLoss) ? 1 : 0;
  writeResult('gate', { ...originNow('npm run bench -- --gate'), node, counts });
  writePages();
  return 0;
}
