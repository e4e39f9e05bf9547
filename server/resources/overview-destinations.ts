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
export function countedOf(all: readonly string[], needs: Needs): readonly string[] {
  if (all.length <= MAX_COUNTED) return all;
  const known = new Set(all);
  const found = new Set<string>();
  for (const name of byNeed(needs, all)) {
    if (known.has(name)) found.add(name);
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
