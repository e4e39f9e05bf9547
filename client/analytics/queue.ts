import type { Item } from './item.ts';

/** Items that wait for their batch, oldest first. */
export class Queue {
  #items: Item[] = [];
  #bytes = 0;

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Of the JSON of all items. */
  get bytes(): number {
    return this.#bytes;
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#bytes += item.bytes;
  }

  /** Removes the `count` oldest, and gives them. */
  take(count: number): Item[] {
    const taken = this.#items.splice(0, count);
    for (const item of taken) this.#bytes -= item.bytes;
    return taken;
  }
}
