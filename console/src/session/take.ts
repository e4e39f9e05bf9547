/** The first items of a list, and whether there are more; no page is asked for that is not needed. */
export async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Taken<Item>> {
  const taken: Item[] = [];
  for await (const item of items) {
    if (taken.length === count) return { items: taken, hasMore: true };
    taken.push(item);
  }
  return { items: taken, hasMore: false };
}

export interface Taken<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}
