import { type Figure, median } from '../figures.ts';
import { numberWords } from '../printout.ts';

/** A figure as a run of a bench prints it with `--json`. */
export type Printed = Pick<Figure, 'what' | 'unit' | 'value'> & { readonly bench: string };

/** What this code measures, against what another state of it measured a moment before or after. */
export interface Comparison {
  readonly bench: string;
  readonly what: string;
  readonly unit: string;
  /** The median of the other's figures, and of ours. */
  readonly other: number;
  readonly ours: number;
  /** Ours against the other's: the median of the pairs, the least and the greatest. */
  readonly ratio: number;
  readonly least: number;
  readonly greatest: number;
}

/** One run of each, next to each other in time. */
export interface Turn {
  readonly other: readonly Printed[];
  readonly ours: readonly Printed[];
}

/** Of the figures that both have in every turn, under the same words; what only one has cannot be compared. */
export function compare(turns: readonly Turn[]): Comparison[] {
  return (turns[0]?.ours ?? []).flatMap(({ bench, what, unit }) => {
    const isIt = (one: Printed): boolean => one.bench === bench && one.what === what && one.unit === unit;
    const pairs = turns.flatMap((turn) => {
      const [other, ours] = [turn.other.find(isIt)?.value, turn.ours.find(isIt)?.value];
      return other === undefined || ours === undefined ? [] : [{ other, ours, ratio: ours / other }];
    });
    if (pairs.length < turns.length) return [];
    const ratios = pairs.map(({ ratio }) => ratio);
    return {
      bench,
      what,
      unit,
      other: median(pairs.map(({ other }) => other)),
      ours: median(pairs.map(({ ours }) => ours)),
      ratio: median(ratios),
      least: Math.min(...ratios),
      greatest: Math.max(...ratios),
    };
  });
}

/** The figures among what a run has written: one JSON object a line. */
export function printedIn(text: string): Printed[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Printed => JSON.parse(line));
}

/** For people: a line for each figure. */
export function comparisonTable(rows: readonly Comparison[]): string {
  const width = Math.max(0, ...rows.map(({ what }) => what.length));
  const lines = rows.map(({ what, unit, other, ours, ratio, least, greatest }) =>
    [
      `  ${what.padEnd(width)}`,
      numberWords(other).padStart(9),
      '→',
      numberWords(ours).padStart(9),
      unit.padEnd(8),
      `${ratio.toFixed(3)} (${least.toFixed(3)} to ${greatest.toFixed(3)})`,
    ].join(' '),
  );
  return lines.join('\n');
}
