/**
 * Works on so many at once; answers in the order of the items. After a failure nothing more is begun, and what is under way ends before it
 * is thrown: nobody who hears of it finds out later that something else was changed.
 */
export async function atOnce<Item, Result>(
  most: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = numbered(items);
  const workers = Array.from({ length: most }, async () => {
    for (const [index, item] of left) results[index] = await work(item);
  });
  const failed = (await Promise.allSettled(workers)).find((ended) => ended.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}

/** All take from it; when one of them fails, it is over for all. */
function* numbered<Item>(items: Iterable<Item>): Generator<readonly [number, Item]> {
  let index = 0;
  for (const item of items) {
    yield [index, item];
    index += 1;
  }
}
