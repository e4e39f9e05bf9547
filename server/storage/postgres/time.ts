import type { Clock } from '../../ports/clock.ts';

/**
 * Times that wait, as the database counts them: its clock is the one that all routers share. What crosses the port is of
 * the process that asks, and is converted here.
 */
export interface DatabaseTime {
  /** What the database's clock reads now, as far as this process knows. */
  readonly now: () => number;
  readonly toDatabase: (steady: number) => number;
  readonly fromDatabase: (at: number) => number;
  /** Compares both clocks anew; `ask` answers what the database's clock reads. */
  readonly measure: (ask: () => Promise<number>) => Promise<void>;
}

/** A smaller difference is the uncertainty of the measurement, and would move what waits to and fro. */
const NOTABLE_MS = 50;

/** Half of what an answer takes is not known of the time that it tells. */
export function measuredTime(clock: Pick<Clock, 'steady'>): DatabaseTime {
  let offset: number | undefined;
  const toDatabase = (steady: number): number => steady + (offset ?? 0);
  return {
    now: () => toDatabase(clock.steady()),
    toDatabase,
    fromDatabase: (at) => at - (offset ?? 0),
    async measure(ask) {
      const asked = clock.steady();
      const at = await ask();
      const measured = Math.round(at - (asked + clock.steady()) / 2);
      if (offset === undefined || Math.abs(measured - offset) > NOTABLE_MS) offset = measured;
    },
  };
}
