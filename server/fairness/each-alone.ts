/** Where so many fail one after the other, the storage is away, and each may wait for it: the rest is left for the next time. */
const MOST_IN_A_ROW = 10;

/**
 * Does the work of each in turn, as for workspaces that wait for what this router does on its own. What fails for one keeps none
 * behind it from theirs: rejects at the end, with the first failure.
 */
export async function eachAlone<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  let failed: { readonly error: unknown } | undefined;
  let inARow = 0;
  for (const item of items) {
    try {
      await work(item);
      inARow = 0;
    } catch (error) {
      failed ??= { error };
      inARow += 1;
      if (inARow === MOST_IN_A_ROW) break;
    }
  }
  if (failed !== undefined) throw failed.error;
}
