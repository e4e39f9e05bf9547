/** `npm run bench [-- names…]`: what the router does, beside its physical limits and its aims; `--help` lists all benches. */
import type { Wish } from './bench/bench.ts';
import { BENCHES } from './bench/benches.ts';
import { keepsAim } from './bench/figures.ts';
import { type BenchOptions, helpText, readOptions } from './bench/options.ts';
import { jsonLines, table } from './bench/printout.ts';

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
    const figures = await bench.measure(wish);
    isKept = isKept && figures.every(keepsAim);
    console.log(json ? jsonLines(bench, wish, figures) : table(bench, wish, figures));
  }
  return isKept ? 0 : 1;
}

function tell(words: string): void {
  console.error(`… ${words}`);
}
