/** What waits, by holder: those of one holder in order; the holder that had its turn longest ago comes first. */
export class RoundRobin<Item> {
  readonly #byHolder = new Map<string, Item[]>();

  get any(): boolean {
    return this.#byHolder.size > 0;
  }

  add(holder: string, item: Item): void {
    this.#of(holder).push(item);
  }

  /** Before what else waits of its holder. */
  addFirst(holder: string, item: Item): void {
    this.#of(holder).unshift(item);
  }

  /** Of the first holder that may have a turn. */
  take(mayHave: (holder: string) => boolean = () => true): Item | undefined {
    for (const [holder, own] of this.#byHolder) {
      if (!mayHave(holder)) continue;
      const item = own.shift();
      this.#byHolder.delete(holder);
      // Behind the others.
      if (own.length > 0) this.#byHolder.set(holder, own);
      return item;
    }
    return undefined;
  }

  /** Those in front of each holder's line for which it holds. */
  takeWhile(holds: (item: Item) => boolean): readonly Item[] {
    return [...this.#byHolder].flatMap(([holder, own]) => {
      const end = own.findIndex((item) => !holds(item));
      const taken = own.splice(0, end === -1 ? own.length : end);
      if (own.length === 0) this.#byHolder.delete(holder);
      return taken;
    });
  }

  /** Whoever waited waits no longer. */
  takeAll(): readonly Item[] {
    const all = [...this.#byHolder.values()].flat();
    this.#byHolder.clear();
    return all;
  }

  #of(holder: string): Item[] {
    const known = this.#byHolder.get(holder);
    if (known !== undefined) return known;
    const own: Item[] = [];
    this.#byHolder.set(holder, own);
    return own;
  }
}
