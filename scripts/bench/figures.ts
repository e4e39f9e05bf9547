/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)] ?? 0, sorted[middle] ?? 0];
  return (low + high) / 2;
}

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly floor: number;
  /** Median of the ratios of the pairs, run by run. */
  readonly ratio: number;
  readonly atLeast: number;
}

/** Runs both in turn, so that a machine that changes its speed changes it for both. */
export async function compare(
  name: string,
  { runs, unit, atLeast }: { runs: number; unit: string; atLeast: number },
  ours: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<Comparison> {
  const pairs: { ours: number; floor: number }[] = [];
  for (let run = 0; run < runs; run += 1) pairs.push({ floor: await floor(), ours: await ours() });
  return {
    name,
    unit,
    ours: median(pairs.map((pair) => pair.ours)),
    floor: median(pairs.map((pair) => pair.floor)),
    ratio: median(pairs.map((pair) => pair.ours / pair.floor)),
    atLeast,
  };
}
