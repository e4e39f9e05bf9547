/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)] ?? 0, sorted[middle] ?? 0];
  return (low + high) / 2;
}

/** The least figure that `share` of all do not exceed; NaN of none. */
export function percentile(figures: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(figures).toSorted();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

export type Aim = { readonly atLeast: number } | { readonly atMost: number };

/** Something that was measured: the median of its runs, and what it is meant to keep to. */
export interface Figure {
  readonly what: string;
  /** Of a ratio to a physical limit: by this name programs follow it through commits. */
  readonly id?: string;
  /** Empty for a ratio. */
  readonly unit: string;
  readonly value: number;
  readonly runs: readonly number[];
  readonly aim?: Aim;
}

/** What is figured out of each run. */
export type Row<Run> = readonly [what: string, unit: string, of: (run: Run) => number, aim?: Aim | undefined];

/** A figure for each row. */
export function figuresOf<Run>(runs: readonly Run[], rows: readonly Row<Run>[]): Figure[] {
  return rows.map(([what, unit, of, aim]) => {
    const values = runs.map(of);
    return { what, unit, value: median(values), runs: values, ...(aim === undefined ? {} : { aim }) };
  });
}

/** True for a figure without an aim. */
export function keepsAim({ value, aim }: Pick<Figure, 'value' | 'aim'>): boolean {
  if (aim === undefined) return true;
  return 'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost;
}
