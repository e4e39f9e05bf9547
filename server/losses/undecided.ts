import { bytesOfTexts, createBounded, ITEM_BYTES } from './bounded.ts';

/** What a customer defines, and the router evaluates for each event. */
export type DefinitionKind = 'filter' | 'shape' | 'tracking_plan' | 'audience' | 'computed_trait';

/** Evaluations of one definition that ended without an outcome, since this process began. */
export interface UndecidedCount {
  readonly count: number;
  /** When the last of their events was received, or, for an audience or a computed trait, counted: ISO 8601 in UTC. */
  readonly lastTime: string;
}

/** The evaluations whose budget was used up (SAFE-2), by the full name of the definition. */
export interface Undecided {
  add(kind: DefinitionKind, name: string, time: string, events?: number): void;
  of(name: string): UndecidedCount | undefined;
  forget(isOf: (name: string) => boolean): void;
}

/** What the counts of all definitions take together at most. */
const BYTES = 4_000_000;

/** In memory, as dropped events are: it tells what to mend now, and is gone with the process. */
export function createUndecided(): Undecided {
  const counts = createBounded<UndecidedCount>(BYTES);
  return {
    add(_kind, name, time, events = 1) {
      const { count = 0 } = counts.get(name) ?? {};
      counts.put(name, { count: count + events, lastTime: time }, ITEM_BYTES + bytesOfTexts([name, time]));
    },
    of: (name) => counts.get(name),
    forget: (isOf) => counts.remove(isOf),
  };
}
