import type { Analytics } from '../analytics.ts';

export interface CloseOnSignalOptions {
  /** Default `['SIGTERM']`. */
  readonly signals?: readonly NodeJS.Signals[];
  /** Default 5 000: less than what those who send the signal allow. */
  readonly timeoutMs?: number;
}

/**
 * Closes the client at a signal, and then lets the process end by it, unless somebody else listens to it too. Nothing is
 * sent at a signal without this. Returns what takes it off again.
 */
export function closeOnSignal(
  analytics: Pick<Analytics<boolean>, 'close'>,
  { signals = ['SIGTERM'], timeoutMs = 5_000 }: CloseOnSignalOptions = {},
): () => void {
  const leave = (): void => {
    for (const signal of signals) process.off(signal, close);
  };
  const close = (signal: NodeJS.Signals): void => {
    void analytics.close({ timeoutMs }).then(() => {
      leave();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  };
  for (const signal of signals) process.on(signal, close);
  return leave;
}
