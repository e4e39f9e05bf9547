import { numberWords } from '../printout.ts';
import type { Count } from './work.ts';

/** More of the instructions that were kept is a loss. */
const TOLERANCE = 0.05;

/** A count beside the one that was kept. */
export interface Verdict extends Count {
  /** Undefined for work that was not counted then. */
  readonly kept: number | undefined;
  readonly isLoss: boolean;
}

export function verdictsOn(counts: readonly Count[], kept: readonly Count[]): Verdict[] {
  return counts.map((count) => {
    const before = kept.find(({ id }) => id === count.id)?.instructions;
    return { ...count, kept: before, isLoss: before !== undefined && count.instructions > before * (1 + TOLERANCE) };
  });
}

/** For people: a line for each. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ what }) => what.length));
  return verdicts.map((verdict) => lineOf(verdict, width)).join('\n');
}

function lineOf({ what, instructions, kept, isLoss }: Verdict, width: number): string {
  const now = `  ${what.padEnd(width)} ${numberWords(instructions).padStart(11)} instructions`;
  if (kept === undefined) return `${now}   not counted before`;
  return `${now}   ${isLoss ? '✗' : '✓'} ${(instructions / kept).toFixed(3)} of ${numberWords(kept)}`;
}
