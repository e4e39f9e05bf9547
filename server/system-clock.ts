import { uptime } from 'node:os';
import type { Clock } from './ports/clock.ts';

/** What the clocks of a machine read, in milliseconds. */
export interface MachineTime {
  /** The wall, since the epoch. */
  readonly now: () => number;
  /** What timers wait by. It stands still while the machine sleeps, suspended or hibernated. */
  readonly awake: () => number;
  /** Since the machine was started. It takes a hundred times as long to read as the others. */
  readonly up: () => number;
}

/** To read it anew takes longer than `now()`. */
const { timeOrigin } = performance;

const MACHINE: MachineTime = {
  now: () => Date.now(),
  awake: () => timeOrigin + performance.now(),
  up: () => 1_000 * uptime(),
};

/** What is shorter may be how exactly clocks are read. */
const LEAST_MS = 500;
/** A timer that waited through a sleep is late by it, at most by this. */
const LONGEST_TIMER_MS = 60_000;

/**
 * A clock whose steady time goes on while the machine sleeps: nobody else waited meanwhile, and what this process had leased may be
 * another's (NODE-3). The wall was set then, by which a sleep is noticed; and it was no sleep where the machine was up no longer than it was awake.
 */
export function createSystemClock({ now, awake, up }: MachineTime = MACHINE): Clock {
  const upFirst = up() - awake();
  let [seenAt, seenAhead, sleptMs] = [awake(), now() - awake(), 0];

  const noticeSleep = (): void => {
    const begun = awake();
    const sleptSince = up() - begun - upFirst - sleptMs;
    // Who stood still between two readings does not know which of them is of when, and looks again.
    if (awake() - begun >= LEAST_MS) return;
    if (sleptSince >= LEAST_MS) sleptMs += sleptSince;
    seenAhead = now() - begun;
  };
  const steady = (): number => {
    let at = awake();
    // It is asked some hundred times a millisecond when there is much to do.
    if (at - seenAt >= 1) {
      seenAt = at;
      if (Math.abs(now() - at - seenAhead) >= LEAST_MS) {
        noticeSleep();
        at = awake();
      }
    }
    return Math.floor(at + sleptMs);
  };
  return {
    now,
    steady,
    async sleep(ms, signal) {
      const until = steady() + ms;
      const isOver = (): boolean => signal?.aborted === true || steady() >= until;
      // The moment may have come while the clock was read.
      do await waitFor(Math.max(0, Math.min(until - steady(), LONGEST_TIMER_MS)), signal);
      while (!isOver());
    },
  };
}

/** The machine's own time. */
export const systemClock = createSystemClock();

/** By a timer of Node; ends at once when the signal aborts. */
function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
