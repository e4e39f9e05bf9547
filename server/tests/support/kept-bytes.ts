import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('there is no gc to call');
  collect();
  return process.memoryUsage().heapUsed;
}

/** What is still held after something was made, in bytes. */
export function kept<Made>(make: () => Made): { readonly made: Made; readonly bytes: number } {
  const before = heapInUse();
  const made = make();
  return { made, bytes: heapInUse() - before };
}
