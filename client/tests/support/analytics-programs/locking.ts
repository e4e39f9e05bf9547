/**
 * Takes the folders `0`, `1` … below a root, each at a moment at which others do; prints the number of each that it has, then
 * `done`, and holds them until it is killed. Arguments: name of the lock, root, how many, when to begin (ms).
 */
import { join } from 'node:path';
import { lockFolder } from '../../../analytics/node/folder-lock.ts';
import { lockByProcess } from '../../../analytics/node/process-lock.ts';

const [name = '', root = '', count = '0', begin = '0'] = process.argv.slice(2);
const lock = name === 'system' ? lockFolder : lockByProcess;
const held = new Map<number, () => void>();
for (let number = 0; number < Number(count); number += 1) {
  while (Date.now() < Number(begin) + number * 5);
  try {
    held.set(number, lock(join(root, String(number))));
  } catch (error) {
    if (!String(error).includes('is in use by')) throw error;
  }
}
console.log([...held.keys()].join('\n'));
console.log('done');
setInterval(() => held, 60_000);
