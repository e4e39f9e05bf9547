import type { LossReader } from '../losses/loss-reader.ts';

export interface UndecidedFields {
  readonly undecided_count: number;
  readonly last_undecided_time: string;
}

/** What of definitions could not be decided, by their names; of those of which everything could, there is nothing. */
export async function undecidedFields(
  names: readonly string[],
  losses: Pick<LossReader, 'undecided'>,
): Promise<ReadonlyMap<string, UndecidedFields>> {
  const counts = await losses.undecided(names);
  return new Map(
    Array.from(counts, ([name, { count, lastTime }]) => [
      name,
      { undecided_count: count, last_undecided_time: lastTime },
    ]),
  );
}
