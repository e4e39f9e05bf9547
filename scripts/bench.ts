/** `npm run bench [-- names…]`: what the router does, beside its physical limits and its aims; `--help` lists all benches. */
import type { Wish } from './bench/bench.ts';
import { BENCHES } from './bench/benches.ts';
import { keepsAim } from './bench/figures.ts';
import { type BenchOptions, helpText, readOptions } from './bench/options.ts';
import { jsonLines, table } from './bench/printout.ts';
import { type ProcessorTime, processorTime, stolenShare } from './bench/stolen-time.ts';

/** From here on figures tell more of other machines on the same host than of this one. */
const MUCH_STOLEN = 0.005;

process.exitCode = await main(process.argv.slice(2));

/** 0 when every aim is kept, 1 when one is missed, 2 for a wrong flag. */
async function main(args: readonly string[]): Promise<number> {
  let options: BenchOptions;
  try {
    options = readOptions(args, BENCHES);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
  if (options.help) {
    console.log(helpText(BENCHES));
    return 0;
  }
  return run(options);
}

async function run({ benches, runs, size, isReal, json }: BenchOptions): Promise<number> {
  let isKept = true;
  for (const bench of benches) {
    const wish: Wish = { runs: runs ?? bench.runs, size, isReal, tell };
    const before = processorTime();
    const figures = await bench.measure(wish);
    isKept = isKept && figures.every(keepsAim);
    console.log(json ? jsonLines(bench, wish, figures) : table(bench, wish, figures));
    tellStolen(before);
  }
  return isKept ? 0 : 1;
}

/** A figure that was taken on half a machine should not be mistaken for one of a whole one. */
function tellStolen(before: ProcessorTime | undefined): void {
  const after = processorTime();
  if (before === undefined || after === undefined) return;
  const stolen = stolenShare(before, after);
  if (stolen > MUCH_STOLEN) tell(`other machines took ${(100 * stolen).toFixed(1)} % of the processors meanwhile`);
}

function tell(words: string): void {
  console.error(`… ${words}`);
}
