/** Time, as a port: tests and simulations bind one that they move by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Runs `run` once after `ms`, unless the returned function was called before. With `keepAlive` the wait keeps a Node
   * process alive; without, it never does.
   */
  after(ms: number, run: () => void, keepAlive?: boolean): () => void;
}

/** The longest wait that a timer takes; a longer one would end at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run, keepAlive = false) => {
    const timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
    if (!keepAlive) letProcessEnd(timer);
    return () => clearTimeout(timer);
  },
};

/** Timers are objects in Node; elsewhere they are numbers, or what the runtime likes. */
function letProcessEnd(timer: { unref?: () => unknown } | null): void {
  timer?.unref?.();
}
