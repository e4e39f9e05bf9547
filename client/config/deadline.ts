import type { Clock } from './clock.ts';

/** Why an attempt was ended: its time was up. The cause of an error of the kind `Timeout`. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';

  constructor(timeoutMs: number) {
    super(`no complete answer within ${timeoutMs} ms`);
  }
}

export interface Deadline {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The caller's signal; it ends the work, too. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work that must end in time. The work gets a signal that aborts at the deadline, or with the caller's signal; the
 * promise rejects then, with DeadlinePassed or the caller's reason, even if the work does not listen to its signal.
 * Afterwards nothing is left behind: no timer, and no listener on the caller's signal, which may live long.
 */
export async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>, deadline: Deadline): Promise<T> {
  const { clock, timeoutMs, signal } = deadline;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const timer = new AbortController();
  const ended = rejectionOf(ending.signal);
  const abandon = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abandon);
  void clock.sleep(timeoutMs, timer.signal).then(() => {
    if (!timer.signal.aborted) ending.abort(new DeadlinePassed(timeoutMs));
  });
  try {
    return await Promise.race([work(ending.signal), ended]);
  } finally {
    timer.abort();
    signal?.removeEventListener('abort', abandon);
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
