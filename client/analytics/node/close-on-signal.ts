import type { Analytics } from '../analytics.ts';

export interface CloseOnSignalOptions {
  /** Default `['SIGTERM']`. */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
  /** Default 5 000: less than what those who send the signal allow. */
  readonly timeoutMs?: number | undefined;
}

/** Marks the listeners of this library, of all its copies in a process: to each other they are nobody else. */
const OURS = Symbol.for('@waybill/client closeOnSignal');

/**
 * Closes the client at a signal, and then lets the process end by it. Where somebody else listens to it too, the end is
 * theirs, and comes after the work that is still under way and calls the client: then what is held is sent at once, and
 * the client stays open. Nothing is sent at a signal without this. Returns what takes it off again.
 */
export function closeOnSignal(
  analytics: Pick<Analytics<boolean>, 'close' | 'flush'>,
  { signals = ['SIGTERM'], timeoutMs = 5_000 }: CloseOnSignalOptions = {},
): () => void {
  const leave = (): void => {
    for (const signal of signals) process.off(signal, atSignal);
  };
  const atSignal = (signal: NodeJS.Signals): void => {
    if (hasOtherListeners(signal)) return void analytics.flush({ timeoutMs });
    void analytics.close({ timeoutMs }).then(() => {
      leave();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  };
  Object.assign(atSignal, { [OURS]: true });
  // Before all others: one that listens once is no longer there when those after it are called.
  for (const signal of signals) process.prependListener(signal, atSignal);
  return leave;
}

function hasOtherListeners(signal: NodeJS.Signals): boolean {
  return process.listeners(signal).some((listener) => !Reflect.has(listener, OURS));
}
