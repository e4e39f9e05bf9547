import type { Figure } from './figures.ts';

/** What whoever runs a bench asks of it. */
export interface Wish {
  /** How often everything is measured; figures are medians. */
  readonly runs: number;
  /** From 0 to 1: so much of the full load and time. Aims are meant for 1. */
  readonly size: number;
  /** True: what a bench shortens otherwise takes its real time. */
  readonly isReal: boolean;
  /** Says how far it has come: benches are long. */
  readonly tell: (words: string) => void;
}

/** One bench, as `npm run bench` runs it by its name. */
export interface Bench {
  readonly name: string;
  /** What is measured, in a line. */
  readonly about: string;
  /** Unless `--runs` says otherwise. */
  readonly runs: number;
  /** Part of a run that names no bench. */
  readonly isStandard: boolean;
  readonly measure: (wish: Wish) => Promise<readonly Figure[]>;
}

/** Does something as often as wished, and says which time it is. */
export async function repeat<Result>(
  { runs, tell }: Wish,
  what: string,
  measure: () => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let run = 1; run <= runs; run += 1) {
    tell(`${what}: ${run} of ${runs}`);
    results.push(await measure());
  }
  return results;
}

/** So many at full size, and at least one. */
export function sized(full: number, { size }: Wish): number {
  return Math.max(1, Math.round(full * size));
}

/** Of a load that runs first and is not measured: code is compiled, connections are open, and tables have grown. */
export const WARM_UP_SHARE = 0.2;
