/** `npm run bench [-- names…]`: what the router does, beside its physical limits and its aims; `--help` lists all benches. */
import { type Checkout, checkOut } from './bench/against/checkout.ts';
import { compare, comparisonTable } from './bench/against/comparison.ts';
import { inTurns } from './bench/against/turns.ts';
import { runGate } from './bench/gate.ts';
import type { Bench, Wish } from './bench/bench.ts';
import { BENCHES } from './bench/benches.ts';
import { type Figure, keepsAim } from './bench/figures.ts';
import { type BenchOptions, helpText, readOptions } from './bench/options.ts';
import { jsonLines, table } from './bench/printout.ts';
import type { BenchResult } from './results/bench-page.ts';
import { writePages } from './results/pages.ts';
import { originNow, writeResult } from './results/result.ts';
import { type ProcessorTime, processorTime, stolenShare } from './bench/stolen-time.ts';

/** From here on figures tell more of other machines on the same host than of this one. */
const MUCH_STOLEN = 0.005;

process.exitCode = await main(process.argv.slice(2));

/** 0 when every aim is kept, 1 when one is missed, 2 for a wrong flag. */
async function main(args: readonly string[]): Promise<number> {
  let options: BenchOptions;
  let checkout: Checkout | undefined;
  try {
    options = readOptions(args, BENCHES);
    if (options.against !== undefined && !options.help) checkout = checkOut(options.against);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
  if (options.help) {
    console.log(helpText(BENCHES));
    return 0;
  }
  if (options.gate) return runGate(options.save, tell);
  if (checkout === undefined) return run(options);
  using other = checkout;
  return await runAgainst(other, options);
}

/** 0 when there was something to compare; which ratio is good is for who asked. */
async function runAgainst(checkout: Checkout, { benches, runs, size, json, save }: BenchOptions): Promise<number> {
  const turns = runs ?? 5;
  const rows = compare(await inTurns(checkout, { benches: benches.map(({ name }) => name), turns, size, tell }));
  console.log(json ? rows.map((row) => JSON.stringify(row)).join('\n') : comparisonTable(rows));
  if (save) {
    const names = benches.map(({ name }) => name).join(' ');
    const origin = originNow(`npm run bench -- ${names} --against ${checkout.commit}`);
    writeResult(`against-${checkout.commit}`, { ...origin, against: checkout.commit, turns, rows });
    writePages();
  }
  return rows.length > 0 ? 0 : 1;
}

async function run({ benches, runs, size, isReal, json, save }: BenchOptions): Promise<number> {
  let isKept = true;
  for (const bench of benches) {
    const wish: Wish = { runs: runs ?? bench.runs, size, isReal, tell };
    const before = processorTime();
    const figures = await bench.measure(wish);
    isKept = isKept && figures.every(keepsAim);
    console.log(json ? jsonLines(bench, wish, figures) : table(bench, wish, figures));
    if (save) saveFigures(bench, wish, figures);
    tellStolen(before);
  }
  if (save) writePages();
  return isKept ? 0 : 1;
}

/** To four: more is the machine's, and not the router's. */
function digits(value: number): number {
  return Number(value.toPrecision(4));
}

function saveFigures({ name: bench, about }: Bench, { runs, isReal }: Wish, figures: readonly Figure[]): void {
  const origin = originNow(`npm run bench -- ${bench}${isReal ? ' --real' : ''}`);
  const rounded = figures.map((figure) => ({ ...figure, value: digits(figure.value), runs: figure.runs.map(digits) }));
  const result: BenchResult = { ...origin, bench, about, runs, figures: rounded };
  writeResult(`bench-${bench}`, result);
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
