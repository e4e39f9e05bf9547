/**
 * The clients that hold messages now. Beside the default client this is the only state of a module here: a process has
 * one end, and a listener for each client would meet Node's warning at the eleventh.
 */
const drains = new Set<() => void>();

/**
 * Calls `drain` when a Node process has nothing left to do, as often as that happens, until the returned function is
 * called. Other runtimes have no such moment.
 */
export function beforeExit(drain: () => void): () => void {
  if (typeof process === 'undefined' || typeof process.on !== 'function') return () => {};
  if (drains.size === 0) process.on('beforeExit', drainAll);
  drains.add(drain);
  return () => {
    drains.delete(drain);
    if (drains.size === 0) process.off('beforeExit', drainAll);
  };
}

function drainAll(): void {
  for (const drain of Array.from(drains)) drain();
}
