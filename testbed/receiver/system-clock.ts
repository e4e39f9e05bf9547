import type { Clock } from '../../server/ports/clock.ts';

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(performance.timeOrigin + performance.now()),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (ms <= 0 || signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake);
    }),
};
