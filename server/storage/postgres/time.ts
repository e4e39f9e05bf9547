import type { Clock } from '../../ports/clock.ts';

/**
 * Times that wait, as the database counts them: its clock is the one that all routers share. What crosses the port is of
 * the process that asks, and is converted here.
 */
export interface DatabaseTime {
  /** What the database's clock reads now, as far as this process knows. */
  readonly now: () => number;
  /** The clock of this process. */
  readonly steady: () => number;
  readonly toDatabase: (steady: number) => number;
  readonly fromDatabase: (at: number) => number;
  /** Compares both clocks anew; `ask` answers what the database's clock reads. True where it was set back meanwhile. */
  readonly measure: (ask: () => Promise<number>) => Promise<boolean>;
  /** How the database's clock was set forward, for processes that start later. */
  readonly steps: () => readonly Step[];
  /** Takes over what others have seen, before it has seen any itself. */
  readonly adopt: (steps: readonly Step[]) => void;
}

/** The database's clock was set forward by `ahead`; what is stored with times up to `until` is of before. */
export interface Step {
  readonly until: number;
  readonly ahead: number;
}

/** A smaller difference is the uncertainty of the measurement, and would move what waits to and fro. */
const NOTABLE_MS = 50;
/** The database's clock was set by more than this, beyond the uncertainty, where another server has not taken over: it is no drift. */
const SET_MS = 1_000;
/** Clocks are set rarely: what is older than so many times is converted as if it were not. */
const MAX_SETTINGS = 8;

/** The database's clock was set forward: times up to then are converted as they were before. */
interface Setting {
  readonly steady: number;
  readonly database: number;
  readonly offset: number;
}

/**
 * Half of what an answer takes is not known of the time that it tells. Where the database's clock is set forward, what was stored
 * before is as old as it was (HOOK-21): its hours are not over, and message ids of the day stay known.
 */
export function measuredTime(clock: Pick<Clock, 'steady'>): DatabaseTime {
  let offset: number | undefined;
  /** By so much it may be wrong, as where the first answer of all took long. */
  let doubt = 0;
  /** Oldest first. */
  let settings: readonly Setting[] = [];
  const offsetOf = (isBefore: (setting: Setting) => boolean): number => settings.find(isBefore)?.offset ?? offset ?? 0;
  const toDatabase = (steady: number): number => steady + offsetOf((setting) => steady <= setting.steady);
  return {
    now: () => clock.steady() + (offset ?? 0),
    steady: () => clock.steady(),
    toDatabase,
    fromDatabase: (at) => at - offsetOf(({ database }) => at <= database),
    async measure(ask) {
      const asked = clock.steady();
      const at = await ask();
      const [answered, before] = [clock.steady(), offset];
      const uncertain = (answered - asked) / 2;
      const measured = Math.round(at - (asked + answered) / 2);
      const ahead = before === undefined ? 0 : measured - before;
      // An answer that took long, as over a pause of this process, says nothing against what is known better.
      if (before !== undefined && Math.abs(ahead) <= NOTABLE_MS + uncertain) {
        doubt = Math.min(doubt, Math.abs(ahead) + uncertain);
        return false;
      }
      const isSet = Math.abs(ahead) > SET_MS + uncertain + doubt;
      [offset, doubt] = [measured, uncertain];
      // Where it was set back, what is left of an earlier setting that lies ahead now is as if it had not been.
      settings = settings.filter(({ database }) => database <= at);
      if (!isSet || before === undefined) return false;
      if (ahead < 0) return true;
      settings = [...settings, { steady: answered, database: answered + before, offset: before }].slice(-MAX_SETTINGS);
      return false;
    },
    steps: () => stepsOf(settings, offset ?? 0),
    adopt: (steps) => {
      if (settings.length === 0) settings = settingsOf(steps, offset ?? 0);
    },
  };
}

function stepsOf(settings: readonly Setting[], offset: number): readonly Step[] {
  return settings.map((one, index) => ({
    until: one.database,
    ahead: (settings[index + 1]?.offset ?? offset) - one.offset,
  }));
}

/** Seen by another process, whose steady clock is another. */
function settingsOf(steps: readonly Step[], offset: number): readonly Setting[] {
  return steps.map(({ until }, index) => {
    const before = steps.slice(index).reduce((after, { ahead }) => after - ahead, offset);
    return { steady: until - before, database: until, offset: before };
  });
}
