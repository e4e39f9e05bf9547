import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';

export interface BenchOptions {
  readonly benches: readonly Bench[];
  /** Undefined: what each bench does by itself. */
  readonly runs: number | undefined;
  readonly size: number;
  readonly isReal: boolean;
  readonly json: boolean;
  /** Whether the figures are kept in docs/results/. */
  readonly save: boolean;
  /** Another commit, whose figures are measured in turn with ours. */
  readonly against: string | undefined;
  /** Whether instructions are counted instead, and compared with those that were kept. */
  readonly gate: boolean;
  readonly help: boolean;
}

const FLAGS = {
  runs: { type: 'string' },
  size: { type: 'string', default: '1' },
  real: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  save: { type: 'boolean', default: false },
  against: { type: 'string' },
  gate: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Throws an error whose message names what is wrong, and what there is. */
export function readOptions(args: readonly string[], all: readonly Bench[]): BenchOptions {
  const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  if (runs !== undefined && !(Number.isInteger(runs) && runs >= 1)) {
    throw new RangeError(`--runs ${values.runs}: give a whole number of at least 1`);
  }
  const size = Number(values.size);
  if (!(size > 0 && size <= 1)) throw new RangeError(`--size ${values.size}: give a number above 0, at most 1`);
  const { real: isReal, json, save, against, gate, help } = values;
  if (save && size < 1) throw new RangeError(`--save keeps figures of the full size; leave out --size ${values.size}`);
  if (against !== undefined && isReal) throw new RangeError('--against measures without --real; leave one of them out');
  const others = args.filter((arg) => arg !== '--gate' && arg !== '--save');
  if (gate && others.length > 0) throw new RangeError(`--gate does fixed work: leave out ${others.join(' ')}`);
  return { benches: chosen(positionals, all), runs, size, isReal, json, save, against, gate, help };
}

function chosen(names: readonly string[], all: readonly Bench[]): readonly Bench[] {
  if (names.length === 0) return all.filter((bench) => bench.isStandard);
  if (names.length === 1 && names[0] === 'all') return all;
  return names.map((name) => {
    const bench = all.find((one) => one.name === name);
    if (bench === undefined) {
      throw new RangeError(`there is no bench ${JSON.stringify(name)}; there are ${all.map((b) => b.name).join(', ')}`);
    }
    return bench;
  });
}

export function helpText(all: readonly Bench[]): string {
  const rows = all.map(({ name, about, isStandard, runs }) => {
    const mark = isStandard ? '*' : ' ';
    return `  ${mark} ${name.padEnd(13)} ${about} (${runs} ${runs === 1 ? 'run' : 'runs'})`;
  });
  return [
    'Waybill benches: figures beside their physical limits and their aims.',
    '',
    '  npm run bench                     those with a *',
    '  npm run bench -- delivery storm   some',
    '  npm run bench -- all              all; this takes an hour',
    '',
    ...rows,
    '',
    '  --runs <n>    how often each is measured; figures are medians',
    '  --size <f>    less of everything, to try a bench: 0.1 is a tenth; aims are meant for 1',
    '  --real        storm: the ten minutes of the outage in full',
    '  --json        one JSON object a line for each figure; progress goes to standard error',
    '  --save        keeps the figures, with date and commit, in docs/results/',
    '  --against <c> measures another commit in turn with this code, and prints the ratios with their scatter',
    '  --gate        counts instructions of fixed work instead, and compares them with those that --gate --save kept',
    '',
    'Exit code: 0 when every aim is kept, 1 when one is missed or --gate finds a loss, 2 for a wrong flag.',
  ].join('\n');
}
