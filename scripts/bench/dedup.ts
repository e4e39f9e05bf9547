import { join } from 'node:path';
import { type Bench, repeat, sized, type Wish } from './bench.ts';
import { answerOf, startChild } from './child.ts';
import { type Aim, type Figure, figuresOf, type Row } from './figures.ts';
import { inFolder } from './folder.ts';
import type { Cost } from './processes/dedup-store.ts';

const LEVELS = [10_000, 1_000_000, 10_000_000] as const;

/** What it costs to know so many message ids again (D-43). */
export const dedup: Bench = {
  name: 'dedup',
  about: 'cost of an event, and memory, with 10 000, a million and ten million message ids remembered',
  runs: 1,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'dedup', () => measure(wish));
    return LEVELS.flatMap((level, index) => levelFigures(level, index, runs));
  },
};

/** Of each level. */
type Run = readonly Cost[];

function levelFigures(level: number, index: number, runs: readonly Run[]): Figure[] {
  const [name, compared] = [level.toLocaleString('en'), LEVELS[0].toLocaleString('en')];
  const at = (pick: (cost: Cost) => number, where = index): ((run: Run) => number) => {
    return (run) => (run[where] === undefined ? NaN : pick(run[where]));
  };
  const [fresh, memory] = [at((cost) => cost.freshUs), at((cost) => cost.memoryMb)];
  const aimed = (atMost: number): Aim | undefined => (index === LEVELS.length - 1 ? { atMost } : undefined);
  const rows: Row<Run>[] = [
    [`accepting an event, ${name} known`, 'µs', fresh],
    [`refusing a duplicate, ${name} known`, 'µs', at((cost) => cost.duplicateUs)],
    [`refusing a duplicate of any age, ${name} known`, 'µs', at((cost) => cost.oldDuplicateUs)],
    [`memory of the process, ${name} known`, 'MB', memory, aimed(230)],
    [`opening the file, ${name} known`, 'ms', at((cost) => cost.openMs), aimed(1_000)],
    [`file, ${name} known`, 'MB', at((cost) => cost.fileMb)],
  ];
  if (index === 0) return figuresOf(runs, rows);
  const [freshAtFirst, memoryAtFirst] = [at((cost) => cost.freshUs, 0), at((cost) => cost.memoryMb, 0)];
  return figuresOf(runs, [
    ...rows,
    [`accepting an event, against ${compared} known`, '', (run) => fresh(run) / freshAtFirst(run)],
    [`memory beyond that of ${compared} known`, 'MB', (run) => memory(run) - memoryAtFirst(run)],
  ]);
}

function measure(wish: Wish): Promise<Run> {
  return inFolder(async (folder) => {
    const file = join(folder, 'deliveries.sqlite');
    const costs: Cost[] = [];
    let known = 0;
    for (const level of LEVELS) {
      const upTo = sized(level, wish);
      wish.tell(`dedup: ${upTo} ids`);
      ({ known } = await answerOf<{ known: number }>(storeChild(file, known, upTo)));
      const cost = await answerOf<Cost>(storeChild(file, known, known));
      costs.push(cost);
      known = cost.known;
    }
    return costs;
  });
}

function storeChild(file: string, known: number, upTo: number): ReturnType<typeof startChild> {
  return startChild('./processes/dedup-store.ts', file, String(known), String(upTo));
}
