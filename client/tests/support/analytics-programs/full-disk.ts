/** Adds to a disk store until it refuses, then small messages on. Argument: folder. Prints the ids that were taken. */
import { diskStore } from '../../../analytics/node/index.ts';

const store = diskStore({ folder: process.argv[2] ?? '' });
store.recover();
const taken: string[] = [];
// Each is larger than what is left after the one before it, until even the small ones do not fit.
for (const [index, length] of [600, 600, 100, 5_000, 40, 2_000, 10].entries()) {
  const messageId = `m${index}`;
  try {
    store.add({ messageId, json: JSON.stringify({ messageId, text: 'x'.repeat(length) }) });
    taken.push(messageId);
  } catch {
    // Not taken.
  }
}
console.log(`taken ${taken.join()}`);
