import { repeat, type Wish } from './bench.ts';
import { type Figure, figuresOf } from './figures.ts';

export interface Pair {
  /** Of the ratio, for programs: `ingest-1`. It stays when words change. */
  readonly id: string;
  readonly what: string;
  /** What the physical limit is, in a few words. */
  readonly floor: string;
  /** 0: no aim. */
  readonly atLeast: number;
}

/**
 * Events per second of the router and of its physical limit, run in turn, so that a machine that changes its speed changes
 * it for both. What counts is the ratio, the median of those of the pairs.
 */
export async function againstFloor(
  wish: Wish,
  { id, what, floor, atLeast }: Pair,
  measureOurs: () => Promise<number>,
  measureFloor: () => Promise<number>,
): Promise<Figure[]> {
  const pairs = await repeat(wish, what, async () => ({ floor: await measureFloor(), ours: await measureOurs() }));
  const [ratio, ...both] = figuresOf(pairs, [
    [`${what}, against ${floor}`, '', (pair) => pair.ours / pair.floor, atLeast > 0 ? { atLeast } : undefined],
    [what, 'events/s', (pair) => pair.ours],
    [`${what}: ${floor}`, 'events/s', (pair) => pair.floor],
  ]);
  return ratio === undefined ? both : [{ ...ratio, id }, ...both];
}
