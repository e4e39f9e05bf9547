import type { Comparison } from '../bench/against/comparison.ts';
import { numberWords } from '../bench/printout.ts';
import { markdownTable, type Origin, originLine } from './result.ts';

/** Benches of this code and of another commit, run in turn. */
export interface AgainstResult extends Origin {
  /** The other commit. */
  readonly against: string;
  readonly turns: number;
  readonly rows: readonly Comparison[];
}

export function againstSection(result: AgainstResult): string {
  const { against, turns, rows } = result;
  const table = markdownTable(
    ['figure', against, 'this code', 'ratio', 'least to greatest'],
    rows.map(({ bench, what, unit, other, ours, ratio, least, greatest }) => [
      `${bench}: ${what}`,
      `${numberWords(other)} ${unit}`.trim(),
      `${numberWords(ours)} ${unit}`.trim(),
      ratio.toFixed(2),
      `${least.toFixed(2)} to ${greatest.toFixed(2)}`,
    ]),
  );
  const how = `Both were measured in turn, ${turns} times; the ratio is the median of the pairs.`;
  return `## Against ${against}\n\n${how}\n\n${originLine(result)}\n\n${table}\n`;
}
