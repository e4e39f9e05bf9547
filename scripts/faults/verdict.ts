import type { Arrivals } from './arrivals.ts';

/** From the moment at which something broke to the one at which all was whole again. */
export interface Trouble {
  readonly fault: string;
  readonly from: number;
  readonly to: number;
}

export interface Verdict {
  readonly acknowledged: number;
  readonly lost: readonly string[];
  /** Messages that came more than once … */
  readonly repeated: number;
  /** … although nothing was broken when they were in flight. */
  readonly unexplained: readonly string[];
}

/** What was sent this long before a fault may not have been recorded when it began … */
const RECORDING_MS = 2_000;
/** … and what a fault left on its way is taken up a lease later. */
const LEASE_MS = 12_000;

/** NODE-1: what was acknowledged arrived. NODE-2: what came twice was in flight at a fault. */
export function verdictOf(acknowledged: Iterable<string>, arrivals: Arrivals, troubles: readonly Trouble[]): Verdict {
  const ids = [...acknowledged];
  const repeated = [...arrivals].filter(([, times]) => times.length > 1);
  const isExplained = (times: readonly number[]): boolean =>
    times.slice(0, -1).every((time) => troubles.some((trouble) => isDuring(trouble, time)));
  return {
    acknowledged: ids.length,
    lost: ids.filter((id) => !arrivals.has(id)),
    repeated: repeated.length,
    unexplained: repeated.filter(([, times]) => !isExplained(times)).map(([id]) => id),
  };
}

function isDuring({ from, to }: Trouble, time: number): boolean {
  return time > from - RECORDING_MS && time < to + LEASE_MS;
}
