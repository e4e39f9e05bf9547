import type { Clock } from '../ports/clock.ts';

/**
 * So many at a time, with turns of others before the next ones: what is done for each of a hundred thousand queues would let
 * the event of a healthy destination wait for all of it.
 */
export async function* portionsOf<Item>(
  items: Iterable<Item>,
  size: number,
  clock: Pick<Clock, 'sleep'>,
): AsyncGenerator<readonly Item[], void> {
  let portion: Item[] = [];
  for (const item of items) {
    portion.push(item);
    if (portion.length < size) continue;
    yield portion;
    portion = [];
    await clock.sleep(0);
  }
  yield portion;
}
