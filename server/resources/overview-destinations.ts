import type { WaitingQueues } from '../delivery/waiting-queues.ts';
import type { HourlyCount } from '../model/logged-delivery.ts';

/** So many destinations are counted: what it takes of the storage goes by destinations times hours. */
export const MAX_COUNTED = 1_000;

export interface Needs {
  readonly queues: Pick<WaitingQueues, 'waiting' | 'circuits'>;
  /** Deliveries that destinations lost, by their names. */
  readonly lost: readonly Pick<HourlyCount, 'what' | 'count'>[];
}

/** Those that are counted: of too many, those that may need attention. */
export function countedOf<One extends { readonly name: string }>(all: readonly One[], needs: Needs): readonly One[] {
  if (all.length <= MAX_COUNTED) return all;
  const byName = new Map(all.map((one) => [one.name, one]));
  const found = new Set<One>();
  for (const name of byNeed(needs, byName.keys())) {
    const one = byName.get(name);
    if (one !== undefined) found.add(one);
    if (found.size === MAX_COUNTED) break;
  }
  return [...found];
}

function* byNeed({ queues, lost }: Needs, all: Iterable<string>): Generator<string> {
  yield* queues.circuits.keys();
  const sums = new Map<string, number>();
  for (const { what, count } of lost) sums.set(what, (sums.get(what) ?? 0) + count);
  for (const [name] of [...sums].toSorted(([, one], [, other]) => other - one)) yield name;
  yield* queues.waiting.keys();
  yield* all;
}
