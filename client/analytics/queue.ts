import { bytesOf, type Item } from './item.ts';
import { REFUSED } from './retry-decision.ts';

/** Items that wait for their batch, oldest first. */
export class Queue {
  /** To be changed with the methods alone. */
  items: Item[] = [];
  /** Of the JSON of all items. */
  bytes = 0;

  /** Puts them in so that the first has this place; beyond the end is behind all others. */
  insert(items: readonly Item[], place: number): void {
    this.items.splice(place, 0, ...items);
    this.bytes += bytesOf(items);
  }

  /** Removes the `count` oldest, and gives them. */
  take(count: number): Item[] {
    const taken = this.items.splice(0, count);
    this.bytes -= bytesOf(taken);
    return taken;
  }

  /** All are in their order again, and what was put behind is in full batches. */
  restore(): void {
    const items = this.items.map((item) => (item.place === 'behind' ? { ...item, tries: REFUSED } : item));
    // oxlint-disable-next-line unicorn/no-array-sort -- browsers of before 2023 have no `toSorted`
    this.items = items.sort((a, b) => a.sequence - b.sequence);
  }
}
