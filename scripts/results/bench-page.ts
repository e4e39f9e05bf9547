import { type Aim, type Figure, keepsAim } from '../bench/figures.ts';
import { numberWords } from '../bench/printout.ts';
import { againstSection } from './against-section.ts';
import { gateSection } from './gate-section.ts';
import { markdownTable, type Origin, originLine, readResult, resultNames } from './result.ts';

/** A figure as it is kept: its runs are left out where they are no longer known. */
export type SavedFigure = Omit<Figure, 'runs'> & Partial<Pick<Figure, 'runs'>>;

/** One bench at its full size. */
export interface BenchResult extends Origin {
  readonly bench: string;
  readonly about: string;
  /** Figures are medians of so many. */
  readonly runs: number;
  readonly figures: readonly SavedFigure[];
}

/** A figure by its name, for a page that people write. */
export function figureOf({ bench, figures }: BenchResult, name: string): SavedFigure {
  const figure = figures.find(({ what }) => what === name);
  if (figure === undefined)
    throw new Error(`the bench ${bench} has no figure "${name}": name another where it is shown`);
  return figure;
}

const HEAD = `# Benches

What \`npm run bench -- <names> --save\` measured last. A figure *against* something is a ratio to a physical limit, or to a
smaller load, that was measured in the same run in turn: machines differ, ratios differ less.
`;

export function benchPage(): string {
  const sections = benchNames().map((name) => section(readResult(name)));
  const comparisons = againstNames().map((name) => againstSection(readResult(name)));
  const gate = resultNames().includes('gate') ? [gateSection(readResult('gate'))] : [];
  return [HEAD, ...sections, ...comparisons, ...gate].join('\n');
}

function againstNames(): readonly `against-${string}`[] {
  return resultNames().filter((name): name is `against-${string}` => name.startsWith('against-'));
}

/** Of the results of benches. */
export function benchNames(): readonly `bench-${string}`[] {
  return resultNames().filter((name): name is `bench-${string}` => name.startsWith('bench-'));
}

function section(result: BenchResult): string {
  const { bench, about, runs, figures } = result;
  const how = runs === 1 ? 'one run' : `medians of ${runs} runs`;
  const rows = figures.map((figure) => [
    figure.what,
    aimWords(figure),
    `${numberWords(figure.value)} ${figure.unit}`.trim(),
  ]);
  const table = markdownTable(['figure', 'aim', 'measured'], rows);
  return `## ${bench}\n\n${about[0]?.toUpperCase()}${about.slice(1)}; ${how}.\n\n${originLine(result)}\n\n${table}\n`;
}

function aimWords({ aim, value }: SavedFigure): string {
  if (aim === undefined) return '–';
  return `${limitWords(aim)}${keepsAim({ value, aim }) ? '' : ', missed'}`;
}

function limitWords(aim: Aim): string {
  return 'atLeast' in aim ? `≥ ${numberWords(aim.atLeast)}` : `≤ ${numberWords(aim.atMost)}`;
}
